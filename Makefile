# SPDX-License-Identifier: GPL-2.0
# The front door: what can be built, shown and checked, as targets. It knows names and options; the work is
# done by module/Kbuild, tools/Makefile, tests/vm, tests/demo, tests/bench, tests/unit, tests/tools and tests/lint.

# Options of targets below. KVER: kernel release to build for, with this machine's headers. KERNEL: series
# to build for or to boot, from the cached Debian tree. CASE: pattern of case names.
KVER ?= $(shell uname -r)
KERNEL ?=
CASE ?= *
SEED ?=
SIZE_MIB ?=
MODE ?=
SAMPLES ?=
BENCH ?=
RATIO ?=
SYSTEMS ?=
WINDOWS ?=

KDIR = /lib/modules/$(KVER)/build
VM := tests/vm
DEMO_KERNEL = $(or $(KERNEL),6.12)

.PHONY: all
all: module tools

.PHONY: module
module: ## Build thermocline.ko for the running kernel (KVER=release, or KERNEL=6.12|7.3 in the cached tree)
ifeq ($(KERNEL),)
	@[ -e $(KDIR)/Makefile ] || { \
		echo "thermocline: no headers of kernel $(KVER) here: install linux-headers-$(KVER)," \
			"or build in the cached tree: make module KERNEL=6.12" >&2; \
		exit 1; \
	}
	$(MAKE) --no-print-directory -f $(VM)/inside.mk module OUT=build/$(KVER) KDIR=$(KDIR)
else
	$(VM)/build module $(KERNEL)
endif

# With the libraries of this machine where they are, else in the cached tree.
TOOL_HEADERS := bpf/libbpf.h jansson.h ncurses.h numaif.h zlib.h
.PHONY: tools
tools: ## Build thermoctl, tcsim and their man pages in build/tools
	@if printf "#include <%s>\n" stdio.h $(TOOL_HEADERS) | $(CC) -E -x c - >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory -f tools/Makefile OUT=build/tools; \
	else \
		$(VM)/build tools; \
	fi

# With the compiler and libbpf's headers of this machine where they are, else in the cached tree.
.PHONY: bpf
bpf: ## Build the example policies (eBPF programs) in build/bpf
	@if printf "#include <bpf/bpf_helpers.h>\n" | clang -include linux/types.h -E -x c - >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory -f tools/bpf/Makefile; \
	else \
		$(VM)/build bpf; \
	fi

.PHONY: deb
deb: ## Build thermocline-dkms and thermocline-tools in build/deb (in the cached tree), with lintian
	@$(VM)/in-tree debian/make

.PHONY: demo
demo: ## Show hot pages moving to fast memory (SEED= SIZE_MIB= MODE=observe|tier KERNEL=6.12|7.3)
	@$(VM)/build module $(DEMO_KERNEL)
	@$(VM)/build simpmu $(DEMO_KERNEL)
	@$(VM)/build programs
	@$(VM)/build plugin
	@KERNEL=$(DEMO_KERNEL) SEED=$(SEED) SIZE_MIB=$(SIZE_MIB) MODE=$(MODE) tests/demo/run

.PHONY: bench-path
bench-path: ## Instructions of a sample by stage, memory of the heat map (KERNEL=6.12|7.3 SAMPLES=number)
	@$(VM)/build module $(DEMO_KERNEL)
	@$(VM)/build simpmu $(DEMO_KERNEL)
	@$(VM)/build programs
	@$(VM)/build plugin
	@KERNEL=$(DEMO_KERNEL) SAMPLES=$(SAMPLES) tests/bench/path

.PHONY: bench
bench: ## Workloads under every system (BENCH='zipf btree' RATIO='1:2 1:8' SYSTEMS= SEED= KERNEL= SIZE_MIB= WINDOWS= ANTAGONIST= HUGE=)
	@BENCH='$(BENCH)' RATIO='$(RATIO)' SYSTEMS='$(SYSTEMS)' SEED='$(SEED)' KERNEL='$(KERNEL)' SIZE_MIB='$(SIZE_MIB)' \
		WINDOWS='$(WINDOWS)' ANTAGONIST='$(ANTAGONIST)' HUGE='$(HUGE)' tests/bench/bench

.PHONY: bench-snapshot
bench-snapshot: ## All grids of docs/results/bench.md, and that file (RESULTS=bench|tpp|tierbpf JOBS=2 SERIES='6.12 7.3')
	@RESULTS='$(RESULTS)' tests/bench/snapshot

.PHONY: check
check: ## Everything that must pass before a change lands: lint, unit tests, tools, cases on 6.12 and 7.3
	@tests/check quick

.PHONY: check-all
check-all: ## The same with the long cases too
	@tests/check all

.PHONY: check-unit
check-unit: ## Unit tests of the policy core, with ASan and UBSan (TC_SEED=number repeats a run)
	@$(VM)/in-tree tests/unit/run

.PHONY: check-tools
check-tools: ## Tests of the tools beside saved trees, with ASan and UBSan
	@$(VM)/in-tree tests/tools/run

.PHONY: check-machine
check-machine: ## The simulated machine against figures computed by hand (KERNEL=6.12|7.3 SEED=)
	@$(VM)/build programs
	@$(VM)/build plugin
	@KERNEL=$(DEMO_KERNEL) SEED=$(SEED) tests/machine/check

.PHONY: vm
vm: ## Run cases in virtual machines (CASE='glob' KERNEL=6.12|7.3; both kernels by default)
	@$(VM)/cases $(if $(KERNEL),--kernels $(KERNEL)) '$(CASE)'

.PHONY: check-breaks
check-breaks: ## Put the defects that the cases name into a copy, each must be noticed (CASE='glob' KERNEL=6.12|7.3)
	@$(VM)/breaks $(if $(KERNEL),--kernels $(KERNEL)) '$(CASE)'

.PHONY: lint
lint: ## clang-format, checkpatch, sparse, shellcheck and the rules of this house
	@tests/lint

.PHONY: format
format: ## Rewrite the C files as clang-format wants them
	@tests/lint --format

.PHONY: clean
clean: ## Remove build/ (the cached tree stays in the user's cache folder)
	rm -rf build

.PHONY: help
help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS='	' read -r name text; do \
		printf '  %-14s %s\n' "$$name" "$$text"; \
	done
