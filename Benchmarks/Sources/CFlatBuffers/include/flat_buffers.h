#ifndef KEEPSAKE_BENCHMARKS_FLAT_BUFFERS_H
#define KEEPSAKE_BENCHMARKS_FLAT_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

// The functions of FlatBuffers' C++ that generated code calls, for a caller in Swift. A table is started and
// its fields are added by number; the targets of references are written before.

typedef struct keepsake_flat_builder keepsake_flat_builder;

keepsake_flat_builder *keepsake_flat_begin(void);
void keepsake_flat_free(keepsake_flat_builder *builder);

/// Ends a buffer; the bytes belong to the builder.
const uint8_t *_Nonnull keepsake_flat_finish(keepsake_flat_builder *builder, uint32_t root, size_t *size);

uint32_t keepsake_flat_text(keepsake_flat_builder *builder, const void *_Nullable text, size_t size);

/// Writes a vector of numbers or structs with their memory layout.
uint32_t keepsake_flat_elements(
    keepsake_flat_builder *builder, const void *_Nullable elements, size_t count, size_t stride,
    size_t alignment);

/// Writes a vector of the most recently kept references, and drops them.
uint32_t keepsake_flat_references(keepsake_flat_builder *builder, size_t count);

/// Keeps a reference for the table that it will be added to.
void keepsake_flat_keep(keepsake_flat_builder *builder, uint32_t reference);

/// The number of kept references.
size_t keepsake_flat_kept(const keepsake_flat_builder *builder);

uint32_t keepsake_flat_begin_table(keepsake_flat_builder *builder);

/// Ends a table, and drops the references after the first `kept`.
uint32_t keepsake_flat_end_table(keepsake_flat_builder *builder, uint32_t start, size_t kept);

// Adds a number of this many bits. A default value is left out unless `always` is set.
void keepsake_flat_add_8(keepsake_flat_builder *, uint16_t field, uint8_t value, int always);
void keepsake_flat_add_16(keepsake_flat_builder *, uint16_t field, uint16_t value, int always);
void keepsake_flat_add_32(keepsake_flat_builder *, uint16_t field, uint32_t value, int always);
void keepsake_flat_add_64(keepsake_flat_builder *, uint16_t field, uint64_t value, int always);

void keepsake_flat_add_struct(
    keepsake_flat_builder *builder, uint16_t field, const void *_Nullable value, size_t size, size_t stride,
    size_t alignment);

/// Adds a kept reference, by its index among all of them.
void keepsake_flat_add_kept(keepsake_flat_builder *builder, uint16_t field, size_t place);

const void *keepsake_flat_root(const void *bytes);

/// The address of a field's value in a table, or null when it has none.
const void *_Nullable keepsake_flat_field(const void *table, uint16_t field);

/// The target of the reference at a place.
const void *keepsake_flat_target(const void *place);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
