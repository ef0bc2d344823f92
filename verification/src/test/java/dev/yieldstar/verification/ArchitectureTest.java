package dev.yieldstar.verification;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.YieldstarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// The architecture as rules: who may know whom.
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.yieldstar");
  private static final String ROOT = "dev.yieldstar";
  private static final DescribedPredicate<JavaClass> ASSEMBLER =
      DescribedPredicate.describe(
          "the class that assembles the engine",
          type ->
              type.getName().equals(Yieldstar.class.getName())
                  || type.getName().startsWith(Yieldstar.class.getName() + "$"));

  @Test
  void theAnalysisSeesTheClassesOfEveryModule() {
    assertThat(CLASSES.size()).isGreaterThan(150);
    for (String part :
        List.of("execution", "codec", "spi", "memory", "engine", "jdbc", "testkit", "cli")) {
      assertThat(
              CLASSES.stream()
                  .anyMatch(type -> type.getPackageName().startsWith(ROOT + "." + part)))
          .as("classes of %s", part)
          .isTrue();
    }
  }

  @Test
  void thePureCoreKnowsNoDatabaseNoNetworkNoThreadAndNoLog() {
    noClasses()
        .that()
        .resideInAPackage("dev.yieldstar.execution..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "java.net..",
            "java.io..",
            "java.nio.channels..",
            "java.util.concurrent..",
            "org.slf4j..",
            "tools.jackson..")
        .check(CLASSES);
  }

  @Test
  void thePureCoreAsksForNoTimeNoRandomNumberAndNoId() {
    noClasses()
        .that()
        .resideInAPackage("dev.yieldstar.execution..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(RandomGenerator.class)
        .check(CLASSES);
  }

  @Test
  void packagesOfTheCoreLookOneWay() {
    mayKnow("dev.yieldstar.codec..", ROOT);
    mayKnow("dev.yieldstar.execution..", ROOT, "dev.yieldstar.codec..");
    mayKnow("dev.yieldstar.spi..", ROOT, "dev.yieldstar.codec..", "dev.yieldstar.execution..");
    mayKnow(
        "dev.yieldstar.memory..",
        ROOT,
        "dev.yieldstar.codec..",
        "dev.yieldstar.execution..",
        "dev.yieldstar.spi..");
    mayKnow(
        "dev.yieldstar.jdbc..",
        ROOT,
        "dev.yieldstar.codec..",
        "dev.yieldstar.execution..",
        "dev.yieldstar.spi..");
    mayKnow(
        "dev.yieldstar.testkit..",
        ROOT,
        "dev.yieldstar.codec..",
        "dev.yieldstar.execution..",
        "dev.yieldstar.spi..",
        "dev.yieldstar.memory..");
    noClasses()
        .that()
        .resideInAPackage("dev.yieldstar.engine..")
        .should()
        .dependOnClassesThat(ASSEMBLER)
        .check(CLASSES);
  }

  private static void mayKnow(String who, String... others) {
    var ours = resideInAPackage("dev.yieldstar..");
    classes()
        .that()
        .resideInAPackage(who)
        .should(
            com.tngtech.archunit.lang.conditions.ArchConditions.not(
                dependOnClassesThat(
                    ours.and(DescribedPredicate.not(resideInAnyPackage(others)))
                        .and(DescribedPredicate.not(resideInAPackage(who)))
                        .or(ASSEMBLER))))
        .check(CLASSES);
  }

  @Test
  void theRootKnowsNobodyButForTheClassThatAssemblesTheEngine() {
    classes()
        .that(resideInAPackage(ROOT).and(DescribedPredicate.not(ASSEMBLER)))
        .should(
            com.tngtech.archunit.lang.conditions.ArchConditions.not(
                dependOnClassesThat(
                    resideInAPackage("dev.yieldstar..")
                        .and(DescribedPredicate.not(resideInAPackage(ROOT))))))
        .check(CLASSES);
  }

  @Test
  void jdbcIsKnownToTheJdbcModuleOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.yieldstar.jdbc..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..")
        .check(CLASSES);
  }

  @Test
  void noTwoFilesDependOnEachOtherInACircle() {
    Map<String, Set<String>> uses = new HashMap<>();
    for (JavaClass type : CLASSES) {
      Set<String> targets = uses.computeIfAbsent(fileOf(type), file -> new HashSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        if (target.getPackageName().startsWith(ROOT) && !fileOf(target).equals(fileOf(type))) {
          targets.add(fileOf(target));
        }
      }
    }
    assertThat(circles(uses)).as("files that depend on each other in a circle").isEmpty();
  }

  private static String fileOf(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer.getName();
  }

  /// Groups of files that reach each other.
  private static List<Set<String>> circles(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reach = new HashMap<>();
    uses.keySet().forEach(file -> reach.put(file, reachable(file, uses)));
    var circles = new ArrayList<Set<String>>();
    var seen = new HashSet<String>();
    for (String file : uses.keySet()) {
      Set<String> reached = reach.getOrDefault(file, Set.of());
      if (reached.contains(file) && !seen.contains(file)) {
        var circle = new java.util.TreeSet<String>();
        for (String other : reached) {
          if (reach.getOrDefault(other, Set.of()).contains(file)) {
            circle.add(other);
          }
        }
        seen.addAll(circle);
        circles.add(circle);
      }
    }
    return circles;
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    var reached = new HashSet<String>();
    var queue = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
    while (!queue.isEmpty()) {
      String file = queue.remove();
      if (reached.add(file)) {
        queue.addAll(uses.getOrDefault(file, Set.of()));
      }
    }
    return reached;
  }

  @Test
  void everyPackageIsNullMarked() {
    for (JavaClass type : CLASSES) {
      assertThat(type.getPackage().tryGetPackageInfo())
          .as("package-info of %s", type.getPackageName())
          .hasValueSatisfying(
              info ->
                  assertThat(info.isAnnotatedWith("org.jspecify.annotations.NullMarked")).isTrue());
    }
  }

  @Test
  void theLibraryHoldsNoMonitors() throws IOException {
    var monitors = new ArrayList<String>();
    try (var files = Files.walk(Path.of(".."))) {
      for (Path file : files.filter(ArchitectureTest::isLibrarySource).toList()) {
        for (String line : Files.readAllLines(file)) {
          if (line.matches("(?!\\s*(///|//|\\*|/\\*)).*\\bsynchronized\\b[^\"`]*")) {
            monitors.add(file + ": " + line.strip());
          }
        }
      }
    }
    assertThat(monitors).as("virtual threads that hold one pin their carrier").isEmpty();
  }

  private static boolean isLibrarySource(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.contains("/yieldstar-")
        && path.contains("/src/main/java/")
        && path.endsWith(".java");
  }

  @Test
  void whatTheLibraryThrowsHasACode() {
    classes()
        .that()
        .areAssignableTo(RuntimeException.class)
        .and()
        .resideInAPackage("dev.yieldstar..")
        .and()
        .arePublic()
        .should()
        .beAssignableTo(YieldstarException.class)
        .orShould()
        .haveFullyQualifiedName("dev.yieldstar.RetryableException")
        .check(CLASSES);
  }
}
