package dev.baton.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The directions of dependencies between packages. */
@AnalyzeClasses(packages = "dev.baton", importOptions = DoNotIncludeTests.class)
class ArrowsTest {
    private static final String API = "dev.baton";
    private static final String SPI = "dev.baton.spi..";
    private static final String RUN = "dev.baton.run";
    private static final String ENGINE = "dev.baton.engine..";
    private static final String LOOP = "dev.baton.engine.loop";
    private static final String PARTITIONS = "dev.baton.partitions";
    private static final String STATE = "dev.baton.state";
    private static final String STATUS = "dev.baton.status";
    private static final String CODEC = "dev.baton.codec";
    private static final String[] KAFKA_ROOMS = {
        "dev.baton.kafka.client",
        "dev.baton.kafka.topics",
        "dev.baton.kafka.log",
        "dev.baton.kafka.read",
        "dev.baton.kafka.write",
        "dev.baton.kafka.connection",
        "dev.baton.kafka.admin"
    };

    @ArchTest
    static final ArchRule theSpiKnowsNothingButTheJdk = classes()
            .that()
            .resideInAPackage(SPI)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI);

    @ArchTest
    static final ArchRule spiPackagesHaveNoCycles =
            slices().matching("dev.baton.(spi.*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule spiDoesNotDependOnSupport = noClasses()
            .that()
            .resideInAPackage("dev.baton.spi")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.spi.support");

    @ArchTest
    static final ArchRule loopsKnowTheSpiAndNoChains = classes()
            .that()
            .resideInAPackage(RUN)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI, RUN, LOOP);

    @ArchTest
    static final ArchRule theirEngineKnowsNoChains = classes()
            .that()
            .resideInAPackage(LOOP)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI, RUN, LOOP);

    @ArchTest
    static final ArchRule chainsDependOnFeaturesAndEngine = classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI, RUN, API, PARTITIONS, STATE, STATUS, ENGINE);

    @ArchTest
    static final ArchRule onlyDoorsDependOnTheEngine = noClasses()
            .that()
            .resideInAPackage(API)
            .and()
            .doNotHaveSimpleName("Deployment")
            .and()
            .doNotHaveSimpleName("Chain")
            .and()
            .haveNameNotMatching(".*\\.Chain\\$Builder")
            .and()
            .haveNameNotMatching(".*\\.Merge(\\$Builder)?")
            .and()
            .doNotHaveSimpleName("RunningChain")
            .and()
            .doNotHaveSimpleName("Serde") // checkedDecoder
            .and()
            .doNotHaveSimpleName("Outlet") // send(value, codec)
            .and()
            .doNotHaveSimpleName("Sender")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ENGINE);

    @ArchTest
    static final ArchRule enginePackagesHaveNoCycles =
            slices().matching("dev.baton.engine.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule enginePackagesDoNotDependOnTheirStarter = noClasses()
            .that()
            .resideInAPackage("dev.baton.engine.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.engine");

    @ArchTest
    static final ArchRule engineDoesNotDependOnTools = noClasses()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.baton.manage", "dev.baton.chains", CODEC);

    @ArchTest
    static final ArchRule featuresDependOnNothingAbove = classes()
            .that()
            .resideInAnyPackage(PARTITIONS, STATE, STATUS)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI, RUN, PARTITIONS, STATE, STATUS);

    @ArchTest
    static final ArchRule othersDoNotDependOnTheEngine = noClasses()
            .that()
            .resideOutsideOfPackages(API, RUN, ENGINE, "dev.baton.deadletters", "dev.baton.manage")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ENGINE);

    @ArchTest
    static final ArchRule codecsKnowMessagesOnly = classes()
            .that()
            .resideInAPackage(CODEC)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", API, CODEC);

    @ArchTest
    static final ArchRule providedChainsKnowChainsAndTheSpi = classes()
            .that()
            .resideInAPackage("dev.baton.chains")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI, API, "dev.baton.chains");

    @ArchTest
    static final ArchRule theContractsPackagesHaveNoCycles =
            slices().matching("dev.baton.tck.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theContractsCoreDependsOnTheHarnessAlone = noClasses()
            .that()
            .resideInAPackage("dev.baton.tck")
            .should()
            .dependOnClassesThat(
                    resideInAPackage("dev.baton.tck.*").and(resideOutsideOfPackage("dev.baton.tck.harness")));

    @ArchTest
    static final ArchRule theContractsHarnessDependsOnNoContract = noClasses()
            .that()
            .resideInAPackage("dev.baton.tck.harness")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.baton.tck", SPI, API);

    @ArchTest
    static final ArchRule theTestKitsPackagesHaveNoCycles =
            slices().matching("dev.baton.test.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theTestKitsInternalsDependOnNoTester = noClasses()
            .that()
            .resideInAPackage("dev.baton.test.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.test");

    @ArchTest
    static final ArchRule transportsKnowTheSpiAndNotEachOther = slices().matching(
                    "dev.baton.(disruptor|aeron|chronicle|kafka)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule transportsKnowNoChains = noClasses()
            .that()
            .resideInAnyPackage("dev.baton.disruptor", "dev.baton.aeron..", "dev.baton.chronicle..", "dev.baton.kafka")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    API,
                    RUN,
                    CODEC,
                    "dev.baton.tck..",
                    "dev.baton.lab..",
                    "dev.baton.measuring..",
                    "dev.baton.kafka.embedded");

    @ArchTest
    static final ArchRule kafkasInternalsKnowNoChains = noClasses()
            .that()
            .resideInAnyPackage(KAFKA_ROOMS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    API,
                    RUN,
                    CODEC,
                    "dev.baton.tck",
                    "dev.baton.lab..",
                    "dev.baton.measuring..",
                    "dev.baton.kafka.embedded");

    @ArchTest
    static final ArchRule aeronsPackagesHaveNoCycles =
            slices().matching("dev.baton.aeron.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule aeronsPackagesUseNothingOfTheTopPackageButOptions = noClasses()
            .that()
            .resideInAPackage("dev.baton.aeron.*..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.baton.aeron")
                    .and(not(nameEndingWith("Options")))
                    .and(not(simpleName("Retention"))));

    @ArchTest
    static final ArchRule chroniclesFileFormatKnowsTheSpiAndTheLibrary = classes()
            .that()
            .resideInAPackage("dev.baton.chronicle.format")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", SPI, "dev.baton.chronicle.format", "net.openhft.chronicle..");

    @ArchTest
    static final ArchRule thePackagesOfChronicleHaveNoCycles =
            slices().matching("dev.baton.chronicle.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule thePackagesOfChronicleUseOnlyItsOptions = noClasses()
            .that()
            .resideInAPackage("dev.baton.chronicle.*..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("dev\\.baton\\.chronicle\\.(Chronicle(Transport|Provider|Connection)|ReadOnlyTransport)");

    @ArchTest
    static final ArchRule theEmbeddedBrokerKnowsNoTransport = noClasses()
            .that()
            .resideInAPackage("dev.baton.kafka.embedded")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    API,
                    SPI,
                    RUN,
                    CODEC,
                    "dev.baton.kafka",
                    "dev.baton.lab..",
                    "dev.baton.measuring..",
                    "dev.baton.operations..");

    @ArchTest
    static final ArchRule theMeasuringKernelKnowsNothingOfBaton = classes()
            .that()
            .resideInAPackage("dev.baton.measuring..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.management..",
                    "com.sun.management..",
                    "jdk.jfr..",
                    "org.HdrHistogram..",
                    "org.apache.commons.math3..",
                    "net.openhft.affinity..",
                    "dev.baton.measuring..");

    @ArchTest
    static final ArchRule theKernelsPackagesHaveNoCycles =
            slices().matching("dev.baton.measuring.(**)").should().beFreeOfCycles();

    /** Releases of kafka-clients move what is not public, and the transport runs with each from 4.1. */
    @ArchTest
    static final ArchRule kafkasTransportUsesNoInternalsOfTheClients = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.baton.kafka",
                    "dev.baton.kafka.client..",
                    "dev.baton.kafka.topics..",
                    "dev.baton.kafka.log..",
                    "dev.baton.kafka.read..",
                    "dev.baton.kafka.write..",
                    "dev.baton.kafka.connection..",
                    "dev.baton.kafka.admin..")
            .and()
            .doNotHaveSimpleName("AdvertisedAddresses")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka.common.utils..", "org.apache.kafka..internals..");

    @ArchTest
    static final ArchRule thePackagesOfKafkaHaveNoCycles =
            slices().matching("dev.baton.kafka.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule thePackagesOfKafkaDoNotUseTheTransport = noClasses()
            .that()
            .resideInAnyPackage(KAFKA_ROOMS)
            .should()
            .dependOnClassesThat()
            .haveNameMatching("dev\\.baton\\.kafka\\.Kafka(Transport|Provider|Properties)");

    @ArchTest
    static final ArchRule operationsKnowNoLaboratoryAndNoTransport = noClasses()
            .that()
            .resideInAPackage("dev.baton.operations..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.baton.lab..",
                    "dev.baton.measuring..",
                    "dev.baton.disruptor..",
                    "dev.baton.aeron..",
                    "dev.baton.chronicle..",
                    "dev.baton.kafka..");

    @ArchTest
    static final ArchRule thePackagesOfOperationsHaveNoCycles =
            slices().matching("dev.baton.operations.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theLaboratorysPackagesHaveNoCycles =
            slices().matching("dev.baton.lab.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theParentKnowsNothingOfItsChildrensCode = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.baton.lab.request",
                    "dev.baton.lab.protocol",
                    "dev.baton.lab.results",
                    "dev.baton.lab.launch..",
                    "dev.baton.lab.reporting",
                    "dev.baton.lab.matrix",
                    "dev.baton.lab.page",
                    "dev.baton.lab.command..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.lab.trial..");

    @ArchTest
    static final ArchRule jvmsDoNotDependOnTheLaunch = noClasses()
            .that()
            .resideInAPackage("dev.baton.lab.launch.jvm")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.lab.launch");

    @ArchTest
    static final ArchRule commonOptionsDoNotDependOnThoseOfMessages = noClasses()
            .that()
            .resideInAPackage("dev.baton.lab.command")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.lab.command.load");

    @ArchTest
    static final ArchRule nothingKnowsTheStudiesButTheRegistry = noClasses()
            .that()
            .resideInAPackage("dev.baton.lab..")
            .and()
            .resideOutsideOfPackage("dev.baton.lab.study..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.baton.lab.study..");

    @ArchTest
    static final ArchRule studiesHaveNoCycles =
            slices().matching("dev.baton.lab.study.(*)..").should().beFreeOfCycles();
}
