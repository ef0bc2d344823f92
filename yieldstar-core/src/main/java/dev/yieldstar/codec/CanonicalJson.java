package dev.yieldstar.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// The one text that stands for a JSON value, however it was written. Two values are the same when
/// their canonical texts are equal.
/// - Keys are sorted by UTF-16 code units; a key that appears twice is refused.
/// - Numbers are digits without trailing zeros and an exponent: `1.0`, `1` and `10e-1` are `1`, and
///   `-0` is `0`. The exponent is at most 10,000 either way.
/// - A null property is kept apart from an absent one.
/// - Texts stay as they are: nothing is trimmed or normalised.
///
/// The result is JSON again, without white space. What goes in is strict JSON (RFC 8259), at most
/// 500 levels deep, in whole Unicode characters.
public final class CanonicalJson {
  private static final String HEX = "0123456789abcdef";

  private CanonicalJson() {}

  /// The canonical text of a JSON text.
  ///
  /// @throws ValueRefused with code `UNDECODABLE_VALUE` if it is no JSON, or beyond the bounds
  ///   above
  public static String of(String json) {
    try (JsonParser parser = StrictJson.FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw StrictJson.notJson("it is empty");
      }
      Object tree = read(first, parser);
      if (parser.nextToken() != null) {
        throw StrictJson.notJson("something follows its end");
      }
      StringBuilder out = new StringBuilder(json.length());
      write(tree, out);
      return out.toString();
    } catch (JacksonException e) {
      throw StrictJson.notJson(e);
    }
  }

  /// A tree of sorted maps, lists, and the canonical texts of scalars.
  private static Object read(JsonToken token, JsonParser parser) {
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readArray(parser);
      case VALUE_STRING -> quoted(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> CanonicalNumber.of(parser.getString());
      case VALUE_TRUE -> "true";
      case VALUE_FALSE -> "false";
      case VALUE_NULL -> "null";
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("no value begins with " + token);
    };
  }

  private static Map<String, Object> readObject(JsonParser parser) {
    Map<String, Object> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      members.put(name, read(parser.nextToken(), parser));
    }
    return members;
  }

  private static List<Object> readArray(JsonParser parser) {
    List<Object> elements = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      elements.add(read(token, parser));
    }
    return elements;
  }

  private static void write(Object tree, StringBuilder out) {
    if (tree instanceof Map<?, ?> members) {
      char before = '{';
      for (Map.Entry<?, ?> member : members.entrySet()) {
        out.append(before).append(quoted((String) member.getKey())).append(':');
        write(member.getValue(), out);
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (tree instanceof List<?> elements) {
      char before = '[';
      for (Object element : elements) {
        out.append(before);
        write(element, out);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else {
      out.append((String) tree);
    }
  }

  private static String quoted(String text) {
    if (Texts.loneSurrogate(text) >= 0) {
      throw StrictJson.notJson("a text in it has half a character (a lone surrogate)");
    }
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
