// SPDX-License-Identifier: GPL-2.0
/*
 * The struct_ops type of hooks.h: what the verifier lets programs do, and who is attached. Does not know when a program
 * is asked.
 *
 * A policy that is attached, or only loaded, holds a reference to the module (bpf_struct_ops.owner), so rmmod is refused.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/btf.h>
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/string.h>

#include "../engine/ask.h"
#include "hooks.h"

/* BTF of this module, as the kernel found it when it took the type in; NULL: it did not. */
static const struct btf *tc_hooks_btf;

static bool tc_hooks_ready;

/* What a callback is to the compiler of trampolines, and under kCFI the hash of its type. Never called. */
static int tc_split_order_stub(const struct thermocline_page *page)
{
	return page->verdict;
}

static int tc_piece_is_cold_stub(const struct thermocline_page *page)
{
	return page->verdict;
}

static int tc_admit_stub(const struct thermocline_page *page)
{
	return page->verdict;
}

static struct thermocline_ops tc_stubs = {
	.split_order = tc_split_order_stub,
	.piece_is_cold = tc_piece_is_cold_stub,
	.admit = tc_admit_stub,
};

/* Helpers that any program may use: maps, time, loops. */
static const struct bpf_func_proto *tc_hooks_helper(enum bpf_func_id id,
						    const struct bpf_prog *prog)
{
	return bpf_base_func_proto(id, prog);
}

/*
 * Arguments may be read. What the page's struct holds may too, and no more, as there is no btf_struct_access here: the
 * verifier then refuses every write through a pointer to a type of the kernel.
 */
static const struct bpf_verifier_ops tc_verifier_ops = {
	.get_func_proto = tc_hooks_helper,
	.is_valid_access = bpf_tracing_btf_ctx_access,
};

/* Called when the kernel takes the type in, which it does only with BTF of this module. */
static int tc_hooks_take_btf(struct btf *btf)
{
	tc_hooks_btf = btf;
	return 0;
}

/* Callbacks are called under RCU. */
static int tc_hooks_check_member(const struct btf_type *type, const struct btf_member *member,
				 const struct bpf_prog *prog)
{
	return prog->sleepable ? -EINVAL : 0;
}

static bool tc_name_is_good(const char *name)
{
	size_t length = strnlen(name, THERMOCLINE_NAME_LEN), i;

	for (i = 0; i < length; i++)
		if (!isascii(name[i]) || (!isalnum(name[i]) && !strchr("-_.", name[i])))
			return false;
	return length && length < THERMOCLINE_NAME_LEN;
}

/* Return: 1: this member is dealt with; 0: the kernel shall; or a negative errno. */
static int tc_hooks_init_member(const struct btf_type *type, const struct btf_member *member,
				void *to, const void *from)
{
	const struct thermocline_ops *given = from;
	struct thermocline_ops *ops = to;

	if (__btf_member_bit_offset(type, member) != offsetof(struct thermocline_ops, name) * 8)
		return 0;
	if (!tc_name_is_good(given->name)) {
		pr_err("a policy needs a name of letters, digits, '-', '_' and '.', of at most %d\n",
		       THERMOCLINE_NAME_LEN - 1);
		return -EINVAL;
	}
	memcpy(ops->name, given->name, sizeof(ops->name));
	return 1;
}

static int tc_hooks_validate(void *data)
{
	const struct thermocline_ops *ops = data;

	if (ops->split_order || ops->piece_is_cold || ops->admit)
		return 0;
	pr_err("policy %s answers nothing: it needs at least one callback\n", ops->name);
	return -EINVAL;
}

static int tc_hooks_reg(void *data, struct bpf_link *link)
{
	const struct thermocline_ops *ops = data;
	char name[THERMOCLINE_NAME_LEN];
	int err = tc_ask_attach(ops);

	tc_ask_name(name);
	if (err)
		pr_err("policy %s is not attached: %s is, and there can be one\n", ops->name, name);
	else
		pr_info("policy %s is attached\n", ops->name);
	return err;
}

static void tc_hooks_unreg(void *data, struct bpf_link *link)
{
	const struct thermocline_ops *ops = data;

	tc_ask_detach(ops);
	pr_info("policy %s is detached\n", ops->name);
}

static struct bpf_struct_ops tc_struct_ops = {
	.verifier_ops = &tc_verifier_ops,
	.init = tc_hooks_take_btf,
	.check_member = tc_hooks_check_member,
	.init_member = tc_hooks_init_member,
	.validate = tc_hooks_validate,
	.reg = tc_hooks_reg,
	.unreg = tc_hooks_unreg,
	.cfi_stubs = &tc_stubs,
	.name = "thermocline_ops",
	.owner = THIS_MODULE,
};

/* The kernel returns 0, and does nothing, for a module without BTF: that it took the type in is the proof. */
static int tc_hooks_register(void)
{
	int err = register_bpf_struct_ops(&tc_struct_ops, thermocline_ops);

	if (err)
		return err;
	return tc_hooks_btf ? tc_kfuncs_register(tc_hooks_btf) : -ENOENT;
}

void tc_hooks_init(void)
{
	int err = tc_hooks_register();

	tc_hooks_ready = !err;
	if (err == -ENOENT)
		pr_info("this module has no BTF, so no policy can be attached as a program\n");
	else if (err)
		pr_info("the kernel refuses policies as programs (%d)\n", err);
}

bool tc_hooks_available(void)
{
	return tc_hooks_ready;
}
