/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trial before anybody's pages are touched. Knows what a move must leave unchanged.
 */
#ifndef TC_MOVE_SELFTEST_H
#define TC_MOVE_SELFTEST_H

/**
 * tc_selftest() - move own pages to a node and back, and compare every byte
 * @to: node with memory
 * @back: another node with memory
 * @why: set to a sentence when not everything was tried
 *
 * The pages are those of a private tmpfs file, filled with a pattern; they go through the same
 * isolation, migration and accounting as anybody's will.
 *
 * Context: process context, sleeps; once, at load.
 *
 * Return: 0; -EIO when a byte, a place or a count is wrong: this kernel does not do what the module
 * believes, and it must not be used; -EAGAIN when the pages could not be moved at all (no memory
 * there); another negative errno when the file could not be made.
 */
int tc_selftest(int to, int back, const char **why);

#endif /* TC_MOVE_SELFTEST_H */
