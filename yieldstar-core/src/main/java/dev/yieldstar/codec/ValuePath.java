package dev.yieldstar.codec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamContext;

/// Where in a value something is, as people write it: `$.lines[1].price`.
final class ValuePath {
  static final String ROOT = "$";
  private static final int SHOWN = 24;

  private ValuePath() {}

  /// The element or component that a generator is about to write.
  static String ofNext(TokenStreamContext context) {
    Deque<String> steps = new ArrayDeque<>();
    boolean last = true;
    for (TokenStreamContext at = context; at != null && !at.inRoot(); at = at.getParent()) {
      if (at.inArray()) {
        steps.addFirst(element(last ? at.getEntryCount() : at.getCurrentIndex()));
      } else if (at.currentName() != null) {
        steps.addFirst(component(at.currentName()));
      }
      last = false;
    }
    return shown(List.copyOf(steps));
  }

  /// Where data binding failed.
  static String of(JacksonException failure) {
    List<String> steps = new ArrayList<>();
    for (JacksonException.Reference reference : failure.getPath()) {
      String name = reference.getPropertyName();
      steps.add(name != null ? component(name) : element(reference.getIndex()));
    }
    return shown(steps);
  }

  static String component(String name) {
    boolean plain = !name.isEmpty() && name.length() <= 100;
    for (int i = 0; plain && i < name.length(); i++) {
      plain = Character.isJavaIdentifierPart(name.charAt(i)) && name.charAt(i) != '\0';
    }
    return plain ? "." + name : "[\"" + Texts.storable(Texts.clipped(name, 100)) + "\"]";
  }

  static String element(int index) {
    return "[" + Math.max(index, 0) + "]";
  }

  private static String shown(List<String> steps) {
    if (steps.size() <= SHOWN) {
      return ROOT + String.join("", steps);
    }
    return ROOT
        + String.join("", steps.subList(0, SHOWN / 2))
        + " … "
        + String.join("", steps.subList(steps.size() - SHOWN / 4, steps.size()));
  }
}
