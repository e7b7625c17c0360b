package dev.baton.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The directions of dependencies between the packages of the simulator. */
@AnalyzeClasses(packages = "dev.baton.simulation", importOptions = DoNotIncludeTests.class)
class SimulationArrowsTest {
    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.baton.simulation.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule packagesDoNotUseTheCommand = noClasses()
            .that()
            .resideInAPackage("dev.baton.simulation.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.simulation");
}
