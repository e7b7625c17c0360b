package dev.baton.aeron;

import java.time.Duration;

/** The one Archive that all tests of this JVM share which do not kill it, started with the first that asks and ended with the JVM. */
public final class TestArchive {
    private static final class Started {
        static final ArchiveJvm ARCHIVE = start();

        private static ArchiveJvm start() {
            ArchiveJvm archive = ArchiveJvm.start(Duration.ofSeconds(30));
            Runtime.getRuntime().addShutdownHook(new Thread(archive::close, "test-archive-close"));
            return archive;
        }
    }

    private TestArchive() {}

    static ArchiveJvm shared() {
        return Started.ARCHIVE;
    }

    /** Options for tests: terms that are short enough to fill. */
    public static ArchiveOptions options() {
        return ArchiveOptions.defaults()
                .with(ArchiveOptions.DRIVER, shared().driver())
                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(ArchiveOptions.MAX_PAYLOAD, 100);
    }
}
