// SPDX-License-Identifier: GPL-2.0
/*
 * Calls the kernel's rmap_walk(). The functions whose addresses it is given are the module's own, and
 * so have the ENDBR that an indirect call needs.
 */
#include <linux/rmap.h>

#include "rmap.h"
#include "symbols.h"

/*
 * A folio keeps the pointer to its anon_vma when the last process that mapped it has gone, and the
 * anon_vma with it. The kernel's own way in checks under RCU that somebody still maps the folio.
 */
static struct anon_vma *tc_lock_anon_vma(const struct folio *folio, struct rmap_walk_control *walk)
{
	return static_call(tc_folio_lock_anon_vma_read)(folio, walk);
}

bool tc_walk_mappings(struct folio *folio,
		      bool (*one)(struct folio *folio, struct vm_area_struct *vma,
				  unsigned long address, void *arg),
		      void *arg)
{
	struct rmap_walk_control walk = {
		.rmap_one = one,
		.arg = arg,
		.try_lock = true,
	};

	/* The folio is const in some kernels' type and not in others'. */
	walk.anon_lock = (typeof(walk.anon_lock))tc_lock_anon_vma;
	static_call(tc_rmap_walk)(folio, &walk);
	return !walk.contended;
}
