package dev.yieldstar.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// The types of the JDK that are durable. Of the others nothing is assumed: threads, streams and
/// suppliers have properties too, but nothing that comes back.
final class JdkTypes {
  private static final Set<Class<?>> SCALARS =
      Set.of(
          Boolean.class,
          Character.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          String.class,
          BigDecimal.class,
          BigInteger.class,
          Void.class,
          UUID.class,
          URI.class,
          URL.class,
          Locale.class,
          Currency.class,
          Date.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class,
          Instant.class,
          LocalDate.class,
          LocalDateTime.class,
          LocalTime.class,
          OffsetDateTime.class,
          OffsetTime.class,
          ZonedDateTime.class,
          Duration.class,
          Period.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          ZoneId.class,
          ZoneOffset.class);

  private static final Set<Class<?>> CONTAINERS =
      Set.of(
          Collection.class,
          List.class,
          Set.class,
          SequencedCollection.class,
          SequencedSet.class,
          SortedSet.class,
          NavigableSet.class,
          Queue.class,
          Deque.class,
          ArrayList.class,
          LinkedList.class,
          ArrayDeque.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          EnumSet.class,
          Map.class,
          SequencedMap.class,
          SortedMap.class,
          NavigableMap.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          EnumMap.class);

  private static final Set<Class<?>> KEYS =
      Set.of(
          Boolean.class,
          Character.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          String.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          URI.class,
          Locale.class,
          Currency.class,
          Instant.class,
          LocalDate.class,
          LocalDateTime.class,
          LocalTime.class,
          OffsetDateTime.class,
          OffsetTime.class,
          ZonedDateTime.class,
          Duration.class,
          Period.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          ZoneId.class,
          ZoneOffset.class);

  private JdkTypes() {}

  /// A type that is loaded with the platform, not with the application.
  @SuppressWarnings("ReferenceEquality") // it is this very loader
  static boolean isJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null
        || loader == ClassLoader.getPlatformClassLoader()
        || type.getName().startsWith("java.");
  }

  /// One that stands for a value of its own: texts, numbers, times.
  static boolean isScalar(Class<?> type) {
    return type.isPrimitive() || SCALARS.contains(type);
  }

  /// A number that can be infinite.
  static boolean isFloating(Class<?> type) {
    return type == double.class
        || type == float.class
        || type == Double.class
        || type == Float.class
        || type == OptionalDouble.class;
  }

  /// A collection or map that comes back in its order.
  static boolean isContainer(Class<?> type) {
    return CONTAINERS.contains(type);
  }

  /// One that can be read back from the text of a map key.
  static boolean isKey(Class<?> type) {
    return type.isEnum() || KEYS.contains(type);
  }

  /// A container that keeps its elements in an order of its own: it comes back in their natural
  /// order.
  static boolean isSorted(Class<?> type) {
    return SortedSet.class.isAssignableFrom(type) || SortedMap.class.isAssignableFrom(type);
  }
}
