/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which few of many groups of memory (cgroups) are told apart: those with the most samples.
 * Knows identifiers and numbers of samples.
 * Does not know what a group is, nor what is kept of it.
 */
#ifndef TC_POLICY_GROUPS_H
#define TC_POLICY_GROUPS_H

#include "types.h"

/* Groups that have a slot of their own; all others share the last one. */
#define TC_GROUPS 15U
#define TC_GROUP_OTHER TC_GROUPS
#define TC_GROUP_SLOTS (TC_GROUPS + 1)

/* Groups without a slot whose samples are counted. */
#define TC_GROUPS_WAITING 32U

/**
 * struct tc_group - a group
 * @id: its identifier; 0: none
 * @samples: on it since the last tc_groups_rank(); of one that waits, an estimate that is not too low
 * @inherited: of these, at most so many fell on others that had this place
 */
struct tc_group {
	u64 id;
	u64 samples;
	u64 inherited;
};

/**
 * struct tc_groups - the groups that are known
 * @slot: those with a slot of their own
 * @waiting: the most sampled of the others
 *
 * One thread writes.
 */
struct tc_groups {
	struct tc_group slot[TC_GROUPS];
	struct tc_group waiting[TC_GROUPS_WAITING];
};

/**
 * tc_groups_find - slot of a group
 * @groups: the groups
 * @id: its identifier, not 0
 *
 * A group that is new gets a slot while there is a free one.
 *
 * Context: The writer.
 * Return: the slot, TC_GROUP_OTHER for a group without one.
 */
unsigned int tc_groups_find(struct tc_groups *groups, u64 id);

/**
 * tc_groups_sample - count a sample
 * @groups: the groups
 * @id: identifier of the group it fell on, not 0
 *
 * Of those without a slot, TC_GROUPS_WAITING are counted; another one takes the place of the least
 * sampled of them, and its count, so that no group with more than 1 in TC_GROUPS_WAITING of these samples
 * is missed.
 *
 * Source: Metwally et al., "Efficient computation of frequent and top-k elements in data streams" (ICDT
 * 2005), Space-Saving.
 *
 * Context: The writer.
 * Return: as tc_groups_find().
 */
unsigned int tc_groups_sample(struct tc_groups *groups, u64 id);

/**
 * tc_groups_rank - give the slots to the groups with the most samples
 * @groups: the groups
 *
 * As long as a waiting group surely has more samples than the least sampled one with a slot, it takes its slot. All
 * counts begin anew.
 *
 * Context: The writer.
 * Return: a bit for each slot that went to another group; what is kept of it belongs to the others.
 */
u32 tc_groups_rank(struct tc_groups *groups);

#endif /* TC_POLICY_GROUPS_H */
