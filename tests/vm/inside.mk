# SPDX-License-Identifier: GPL-2.0
# What is built inside the cached Debian tree: modules per kernel, guest programs, the QEMU plugin, the tools.
# It knows compilers and source folders; which kernel, and where its headers are, comes in as KDIR and OUT.
# Called as: tests/vm/in-tree make -f tests/vm/inside.mk TARGET

.DELETE_ON_ERROR:

BUILD := build
WARNINGS := -Wall -Wextra -Werror

# --- modules: KDIR=headers OUT=build/<kernel> -------------------------------------------------------
# Each kernel has its own view of the sources, made of symbolic links, so that objects never mix.

VIEW := module include tests/machine/include tests/machine/simpmu tests/machine/tcbreak

.PHONY: module simpmu tcbreak view
view:
	@mkdir -p $(OUT)/src
	@find $(OUT)/src -type l -delete
	@for folder in $(VIEW); do \
		[ ! -d $$folder ] || { \
			mkdir -p $(OUT)/src/$$folder && \
			cp -rs "$(CURDIR)/$$folder/." $(OUT)/src/$$folder/; \
		} || exit; \
	done

module: FOLDER := module
simpmu: FOLDER := tests/machine/simpmu
tcbreak: FOLDER := tests/machine/tcbreak
module simpmu tcbreak: view
	+$(MAKE) -C $(KDIR) M=$(CURDIR)/$(OUT)/src/$(FOLDER) $(KFLAGS) modules
	cp $(OUT)/src/$(FOLDER)/*.ko $(OUT)/

# --- guest programs: one source, one static program --------------------------------------------------

PROGRAMS := $(patsubst tests/programs/%.c,$(BUILD)/programs/%,$(wildcard tests/programs/*.c))
PROGRAM_HEADERS := $(wildcard tests/programs/*.h tests/machine/include/*.h include/thermocline/*.h)
STATIC := gcc -O2 -g -std=gnu11 $(WARNINGS) -Iinclude -Itests/machine/include -static -pthread

$(BUILD)/programs/%: tests/programs/%.c $(PROGRAM_HEADERS)
	@mkdir -p $(@D)
	$(STATIC) -o $@ $< -lm

# The benchmark's workloads: each is its source and what all of them share. They are not in every guest, as memory
# there is small: tests/vm/boot --program puts them there.

WORK := tests/bench/work
WORKLOADS := $(patsubst $(WORK)/%.c,$(BUILD)/work/%,$(wildcard $(WORK)/*.c))
WORK_SHARED := $(wildcard $(WORK)/common/*.c)

$(BUILD)/work/%: $(WORK)/%.c $(WORK_SHARED) $(wildcard $(WORK)/*.h $(WORK)/common/*.h) $(PROGRAM_HEADERS)
	@mkdir -p $(@D)
	$(STATIC) -Itests/programs -I$(WORK)/common -o $@ $< $(WORK_SHARED) -lm

.PHONY: programs
programs: $(PROGRAMS) $(WORKLOADS)

# --- the simulated machine's plugin ------------------------------------------------------------------

PLUGIN_SOURCES := $(wildcard tests/machine/plugin/*.c)
PLUGIN_HEADERS := $(wildcard tests/machine/plugin/*.h tests/machine/include/*.h include/thermocline/*.h)

.PHONY: plugin
plugin: $(BUILD)/machine/tcmachine.so

$(BUILD)/machine/tcmachine.so: $(PLUGIN_SOURCES) $(PLUGIN_HEADERS)
	@mkdir -p $(@D)
	gcc -O2 -g -std=gnu11 $(WARNINGS) -fPIC -shared -fvisibility=hidden -Iinclude -Itests/machine/include \
		$$(pkg-config --cflags glib-2.0) -o $@ $(PLUGIN_SOURCES) $$(pkg-config --libs glib-2.0) -lm

# --- the tools ---------------------------------------------------------------------------------------

.PHONY: tools
tools:
	+$(MAKE) -f tools/Makefile OUT=$(BUILD)/tools

# --- policies as eBPF programs: the examples, and those of cases ------------------------------------------

.PHONY: bpf
bpf:
	+$(MAKE) -f tools/bpf/Makefile OUT=$(BUILD)/bpf
	+$(MAKE) -f tools/bpf/Makefile OUT=$(BUILD)/bpf FROM=tests/policies
