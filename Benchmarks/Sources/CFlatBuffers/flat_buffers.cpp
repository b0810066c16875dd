#include "flat_buffers.h"

#include <flatbuffers/flatbuffers.h>

#include <vector>

struct keepsake_flat_builder {
  flatbuffers::FlatBufferBuilder buffer;
  std::vector<flatbuffers::uoffset_t> kept;
};

keepsake_flat_builder *keepsake_flat_begin(void) { return new keepsake_flat_builder(); }

void keepsake_flat_free(keepsake_flat_builder *builder) { delete builder; }

const uint8_t *keepsake_flat_finish(keepsake_flat_builder *builder, uint32_t root, size_t *size) {
  builder->buffer.Finish(flatbuffers::Offset<flatbuffers::Table>(root));
  *size = builder->buffer.GetSize();
  return builder->buffer.GetBufferPointer();
}

uint32_t keepsake_flat_text(keepsake_flat_builder *builder, const void *text, size_t size) {
  return builder->buffer.CreateString(static_cast<const char *>(text), size).o;
}

uint32_t keepsake_flat_elements(
    keepsake_flat_builder *builder, const void *elements, size_t count, size_t stride,
    size_t alignment) {
  builder->buffer.StartVector(count * stride / alignment, alignment);
  builder->buffer.PushBytes(static_cast<const uint8_t *>(elements), count * stride);
  return builder->buffer.EndVector(count);
}

uint32_t keepsake_flat_references(keepsake_flat_builder *builder, size_t count) {
  auto first = builder->kept.size() - count;
  builder->buffer.StartVector(count, sizeof(flatbuffers::uoffset_t));
  for (auto place = builder->kept.size(); place > first;) {
    builder->buffer.PushElement(
        flatbuffers::Offset<flatbuffers::Table>(builder->kept[--place]));
  }
  builder->kept.resize(first);
  return builder->buffer.EndVector(count);
}

void keepsake_flat_keep(keepsake_flat_builder *builder, uint32_t reference) {
  builder->kept.push_back(reference);
}

size_t keepsake_flat_kept(const keepsake_flat_builder *builder) { return builder->kept.size(); }

uint32_t keepsake_flat_begin_table(keepsake_flat_builder *builder) {
  return builder->buffer.StartTable();
}

uint32_t keepsake_flat_end_table(keepsake_flat_builder *builder, uint32_t start, size_t kept) {
  builder->kept.resize(kept);
  return builder->buffer.EndTable(start);
}

template <typename Number>
static void add(keepsake_flat_builder *builder, uint16_t field, Number value, int always) {
  auto place = flatbuffers::FieldIndexToOffset(field);
  if (always) {
    builder->buffer.AddElement<Number>(place, value);
  } else {
    builder->buffer.AddElement<Number>(place, value, 0);
  }
}

void keepsake_flat_add_8(keepsake_flat_builder *builder, uint16_t field, uint8_t value, int always) {
  add(builder, field, value, always);
}

void keepsake_flat_add_16(
    keepsake_flat_builder *builder, uint16_t field, uint16_t value, int always) {
  add(builder, field, value, always);
}

void keepsake_flat_add_32(
    keepsake_flat_builder *builder, uint16_t field, uint32_t value, int always) {
  add(builder, field, value, always);
}

void keepsake_flat_add_64(
    keepsake_flat_builder *builder, uint16_t field, uint64_t value, int always) {
  add(builder, field, value, always);
}

void keepsake_flat_add_struct(
    keepsake_flat_builder *builder, uint16_t field, const void *value, size_t size, size_t stride,
    size_t alignment) {
  // Buffers grow towards their start: the padding of a struct is written before it.
  builder->buffer.Align(alignment);
  builder->buffer.Pad(stride - size);
  builder->buffer.PushBytes(static_cast<const uint8_t *>(value), size);
  builder->buffer.TrackField(flatbuffers::FieldIndexToOffset(field), builder->buffer.GetSize());
}

void keepsake_flat_add_kept(keepsake_flat_builder *builder, uint16_t field, size_t place) {
  builder->buffer.AddOffset(
      flatbuffers::FieldIndexToOffset(field),
      flatbuffers::Offset<flatbuffers::Table>(builder->kept[place]));
}

const void *keepsake_flat_root(const void *bytes) {
  return flatbuffers::GetRoot<flatbuffers::Table>(bytes);
}

const void *keepsake_flat_field(const void *table, uint16_t field) {
  return static_cast<const flatbuffers::Table *>(table)->GetAddressOf(
      flatbuffers::FieldIndexToOffset(field));
}

const void *keepsake_flat_target(const void *place) {
  return static_cast<const uint8_t *>(place) +
         flatbuffers::ReadScalar<flatbuffers::uoffset_t>(place);
}
