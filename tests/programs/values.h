/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of 1 KiB that hold their key in every word.
 *
 * Knows how a value is made, read and compared, so that a page that was moved
 * wrongly does not stay unnoticed. Does not know who asks for which key, nor
 * where values lie.
 */
#ifndef TC_VALUES_H
#define TC_VALUES_H

#include <stdint.h>

#include "placement.h"

#define VALUE_BYTES 1024UL
#define LINE_BYTES 64UL
#define WORDS_PER_LINE (LINE_BYTES / sizeof(uint64_t))
#define WORDS_PER_VALUE (VALUE_BYTES / sizeof(uint64_t))
#define VALUES_PER_PAGE (PLACEMENT_PAGE / VALUE_BYTES)

struct values {
	uint64_t *word; /* WORDS_PER_VALUE each */
	uint64_t nr;
};

static inline uint64_t value_word(uint64_t key, uint64_t index)
{
	return key * 0x9e3779b97f4a7c15ULL + index;
}

static inline void value_make(uint64_t *value, uint64_t key)
{
	uint64_t index;

	for (index = 0; index < WORDS_PER_VALUE; index++)
		value[index] = value_word(key, index);
}

static inline uint64_t value_wrong_words(const uint64_t *value, uint64_t key)
{
	uint64_t index, wrong = 0;

	for (index = 0; index < WORDS_PER_VALUE; index++)
		wrong += value[index] != value_word(key, index);
	return wrong;
}

static inline void values_fill_page(const struct values *values, uint64_t page)
{
	uint64_t key;

	for (key = page * VALUES_PER_PAGE; key < (page + 1) * VALUES_PER_PAGE; key++)
		value_make(values->word + key * WORDS_PER_VALUE, key);
}

/* One word of each cache line of the value, the same one in all; returns how many are wrong. */
static inline unsigned int values_lookup(const struct values *values, uint64_t key, uint64_t choice)
{
	const volatile uint64_t *word = values->word + key * WORDS_PER_VALUE;
	uint64_t index = choice % WORDS_PER_LINE;
	unsigned int wrong = 0;

	for (; index < WORDS_PER_VALUE; index += WORDS_PER_LINE)
		wrong += word[index] != value_word(key, index);
	return wrong;
}

/* Every byte of every value: returns how many words are wrong. */
static inline uint64_t values_check(const struct values *values)
{
	uint64_t key, wrong = 0;

	for (key = 0; key < values->nr; key++)
		wrong += value_wrong_words(values->word + key * WORDS_PER_VALUE, key);
	return wrong;
}

#endif
