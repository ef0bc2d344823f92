package dev.yieldstar.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// The attributes of an execution as a column: a JSON object, in the order in which they were
/// given.
final class Attributes {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<LinkedHashMap<String, String>> TYPE = new TypeReference<>() {};

  private Attributes() {}

  static @Nullable String stored(Map<String, String> attributes) {
    return attributes.isEmpty() ? null : JSON.writeValueAsString(attributes);
  }

  static Map<String, String> read(@Nullable String stored) {
    return stored == null ? Map.of() : JSON.readValue(stored, TYPE);
  }
}
