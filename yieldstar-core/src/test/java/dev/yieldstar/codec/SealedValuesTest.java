package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.yieldstar.TypeRef;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Types with named subtypes.
class SealedValuesTest extends CodecSupport {

  sealed interface Shape {}

  record Circle(double size) implements Shape {}

  record Square(double size) implements Shape {}

  sealed interface Solid extends Shape {}

  record Cube(BigDecimal edge) implements Solid {}

  @JsonTypeName("ball")
  record Sphere(BigDecimal radius) implements Solid {}

  enum Plain implements Shape {
    POINT,
    LINE {
      @Override
      int dimensions() {
        return 1;
      }
    };

    int dimensions() {
      return 0;
    }
  }

  static final class Nowhere implements Shape {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Nowhere;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  record Drawing(String name, Shape main, List<Shape> others, Optional<Shape> hidden) {}

  sealed interface Result<T> {}

  record Success<T>(T value) implements Result<T> {}

  record Failure<T>(String why) implements Result<T> {}

  @Test
  @DisplayName("COD-22 a sealed value keeps its class in every position")
  void aSealedValueKeepsItsClass() {
    comesBack(new Circle(1), new TypeRef<Shape>() {});
    comesBack(new Square(1), new TypeRef<Shape>() {});
    comesBack(List.of(new Circle(1), new Square(1)), new TypeRef<List<Shape>>() {});
    comesBack(Map.of("a", new Circle(1), "b", new Square(1)), new TypeRef<Map<String, Shape>>() {});
    comesBack(
        new Drawing(
            "d", new Square(2), List.of(new Circle(1), Plain.LINE), Optional.of(new Square(3))));
    assertThat(there(new Shape[] {new Circle(1), new Square(2)}, Shape[].class))
        .isEqualTo(new Shape[] {new Circle(1), new Square(2)});
  }

  @Test
  @DisplayName("COD-22 the tag is the simple class name, or the name that an annotation gives")
  void theTagIsAName() {
    assertThat(json(new Circle(1), Shape.class)).isEqualTo("{\"@type\":\"Circle\",\"size\":1.0}");
    assertThat(json(new Sphere(BigDecimal.ONE), Shape.class))
        .isEqualTo("{\"@type\":\"ball\",\"radius\":1}");
    assertThat(json(new Nowhere(), Shape.class)).isEqualTo("{\"@type\":\"Nowhere\"}");
  }

  @Test
  @DisplayName("COD-22 the tag is the same where the subtype itself is declared")
  void theTagIsTheSameUnderTheSubtype() {
    for (Class<?> declared : List.of(Shape.class, Solid.class, Sphere.class)) {
      assertThat(json(new Sphere(BigDecimal.TEN), declared))
          .isEqualTo("{\"@type\":\"ball\",\"radius\":10}");
    }
    assertThat(read(json(new Circle(1), Shape.class), Circle.class)).isEqualTo(new Circle(1));
    assertThat(read(json(new Circle(1), Circle.class), Shape.class)).isEqualTo(new Circle(1));
    assertThat(refusedToDecode(json(new Circle(1), Circle.class), Square.class))
        .hasMessageContaining("Circle");
  }

  @Test
  void membersOfInnerFamiliesComeBackUnderTheOuterType() {
    comesBack(List.of(new Cube(BigDecimal.ONE), new Circle(2)), new TypeRef<List<Shape>>() {});
    comesBack(new Cube(new BigDecimal("1.00")), new TypeRef<Solid>() {});
  }

  @Test
  void enumsInAFamilyComeBack() {
    comesBack(Plain.POINT, new TypeRef<Shape>() {});
    comesBack(Plain.LINE, new TypeRef<Shape>() {});
    comesBack(Plain.LINE, new TypeRef<Plain>() {});
    comesBack(Map.of(Plain.LINE, Plain.POINT), new TypeRef<Map<Plain, Plain>>() {});
  }

  @Test
  @DisplayName("COD-22 what was recorded before its class joined a family is still read")
  void whatWasRecordedBeforeItsClassJoinedAFamilyIsRead() {
    assertThat(read("{\"size\":1}", Circle.class)).isEqualTo(new Circle(1));
    assertThat(read("[{\"size\":1}]", new TypeRef<List<Circle>>() {}.type()))
        .isEqualTo(List.of(new Circle(1)));
    assertThat(read("\"LINE\"", Plain.class)).isEqualTo(Plain.LINE);
    assertThat(read("[\"POINT\",\"LINE\"]", Plain[].class))
        .isEqualTo(new Plain[] {Plain.POINT, Plain.LINE});
    refusedToDecode("\"LINE\"", Shape.class);
    refusedToDecode("{\"size\":1}", Shape.class);
  }

  @Test
  void classesWithoutStateComeBack() {
    comesBack(new Nowhere(), new TypeRef<Shape>() {});
    comesBack(new Nowhere());
  }

  record Line(String sku, int quantity) {}

  @Test
  @DisplayName("COD-01 type arguments reach the subtypes of a generic sealed type")
  void typeArgumentsReachTheSubtypes() {
    comesBack(new Success<>(List.of(new Line("a", 1))), new TypeRef<Result<List<Line>>>() {});
    comesBack(new Failure<List<Line>>("no"), new TypeRef<Result<List<Line>>>() {});
    comesBack(
        List.of(new Success<Shape>(new Circle(1)), new Failure<Shape>("n")),
        new TypeRef<List<Result<Shape>>>() {});
    comesBack(new Success<>(new Success<>(1L)), new TypeRef<Result<Result<Long>>>() {});
  }

  sealed interface Expression<T> {}

  record Whole(int value) implements Expression<Integer> {}

  record Constant<T>(T value) implements Expression<T> {}

  record Both<A, B>(Expression<A> left, Expression<B> right) implements Expression<Map<A, B>> {}

  @Test
  void membersThatNarrowTheArgumentsOfTheirFamilyComeBack() {
    comesBack(new Whole(1), new TypeRef<Expression<Integer>>() {});
    comesBack(
        new Both<>(new Whole(1), new Constant<>("x")),
        new TypeRef<Expression<Map<Integer, String>>>() {});
    comesBack(List.of(new Constant<>(new Line("a", 1))), new TypeRef<List<Expression<Line>>>() {});
    assertThat(
            refusedToDecode(
                "{\"@type\":\"Whole\",\"value\":1}", new TypeRef<Expression<String>>() {}.type()))
        .hasMessageContaining("Whole");
  }

  interface Open {}

  record One(int a) implements Open {}

  record Two(int a) implements Open {}

  record NamedHere(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
          @JsonSubTypes(@JsonSubTypes.Type(value = One.class, name = "one"))
          List<Open> all) {}

  @Test
  void subtypesMayBeNamedWhereTheyAreUsed() {
    comesBack(new NamedHere(List.of(new One(1))));
    assertThat(refusedToEncode(new NamedHere(List.of(new Two(1))), NamedHere.class))
        .hasMessageContaining("$.all[0]");
  }

  @Test
  @DisplayName("COD-22 a tag that no subtype has is a decode error that names it")
  void anUnknownTagIsNamed() {
    assertThat(refusedToDecode("{\"@type\":\"Triangle\",\"size\":1}", Shape.class))
        .hasMessageContaining("Triangle");
    assertThat(refusedToDecode("[{\"size\":1}]", new TypeRef<List<Shape>>() {}.type()))
        .hasMessageContaining("@type")
        .hasMessageContaining("$[0]");
    refusedToDecode("{\"@type\":\"java.lang.String\"}", Shape.class);
    refusedToDecode("{\"@type\":null,\"size\":1}", Shape.class);
  }

  @Test
  @DisplayName("COD-07 digits survive a tag that comes last")
  void digitsSurviveALateTag() {
    String json = "{\"edge\":1.2345678901234567890123456789000,\"@type\":\"Cube\"}";
    assertThat(read(json, Shape.class))
        .isEqualTo(new Cube(new BigDecimal("1.2345678901234567890123456789000")));
  }

  static final class Twins {
    sealed interface Either {}

    static final class One {
      record Same(int a) implements Either {}
    }

    static final class Other {
      record Same(int a) implements Either {}
    }
  }

  @Test
  @DisplayName("COD-22 two subtypes with the same name are refused, and both are named")
  void twoSubtypesWithTheSameNameAreRefused() {
    assertThat(refusedType(new TypeRef<List<Twins.Either>>() {}.type()))
        .hasMessageContaining(Twins.One.Same.class.getName())
        .hasMessageContaining(Twins.Other.Same.class.getName())
        .hasMessageContaining("@JsonTypeName");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Card.class, name = "card"),
    @JsonSubTypes.Type(value = Cash.class, name = "cash")
  })
  interface Payment {}

  record Card(String number) implements Payment {}

  record Cash(long cents) implements Payment {}

  record Cheque(long cents) implements Payment {}

  @Test
  void anOpenInterfaceWithNamedSubtypesComesBack() {
    comesBack(List.of(new Card("1"), new Cash(2)), new TypeRef<List<Payment>>() {});
    assertThat(json(new Card("1"), Payment.class))
        .isEqualTo("{\"kind\":\"card\",\"number\":\"1\"}");
    assertThat(json(new Card("1"), Card.class)).isEqualTo(json(new Card("1"), Payment.class));
    assertThat(read(json(new Cash(2), Cash.class), Payment.class)).isEqualTo(new Cash(2));
  }

  @Test
  void aSubtypeThatIsNotNamedIsRefused() {
    assertThat(
            refusedToEncode(
                List.of(new Card("1"), new Cheque(2)), new TypeRef<List<Payment>>() {}.type()))
        .hasMessageContaining("$[1]")
        .hasMessageContaining(Cheque.class.getName());
  }

  @JsonSubTypes(@JsonSubTypes.Type(value = Up.class, name = "up"))
  sealed interface Move {}

  record Up(int by) implements Move {}

  record Down(int by) implements Move {}

  @Test
  void namesOfASealedTypeMayBeGivenForSome() {
    comesBack(List.of(new Up(1), new Down(2)), new TypeRef<List<Move>>() {});
    assertThat(json(new Up(1), Up.class)).isEqualTo("{\"@type\":\"up\",\"by\":1}");
    assertThat(json(new Down(1), Move.class)).isEqualTo("{\"@type\":\"Down\",\"by\":1}");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Anything {}

  record Holder(@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS) Shape shape) {}

  @Test
  void classNamesInTheDataAreRefused() {
    assertThat(refusedType(Anything.class)).hasMessageContaining("Id.NAME");
    assertThat(refusedType(Holder.class)).hasMessageContaining("Id.NAME");
  }

  sealed interface Tagged {}

  record Clash(@com.fasterxml.jackson.annotation.JsonProperty("@type") String type)
      implements Tagged {}

  @Test
  void aComponentCalledLikeTheTagIsRefused() {
    assertThat(refusedType(Tagged.class)).hasMessageContaining("@type");
  }

  sealed interface Animal {
    String name();
  }

  non-sealed interface Wild extends Animal {}

  record Wolf(String name) implements Wild {}

  record Dog(String name) implements Animal {}

  @Test
  void anOpenBranchOfASealedTypeIsRefusedValueByValue() {
    comesBack(new Dog("d"), new TypeRef<Animal>() {});
    assertThat(refusedToEncode(new Wolf("w"), Animal.class))
        .hasMessageContaining(Wolf.class.getName());
  }

  static sealed class Base {
    int id;
  }

  static final class Derived extends Base {
    String more = "";
  }

  @Test
  void aConcreteSealedClassComesBackAsWhatItIs() {
    Base base = new Base();
    base.id = 3;
    Derived derived = new Derived();
    derived.id = 4;
    derived.more = "m";
    assertThatThrownBy(() -> CODEC.check(Base.class)).hasMessageContaining("id");
    assertThat(base).isNotEqualTo(derived);
  }
}
