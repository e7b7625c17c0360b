package dev.baton.aeron;

import java.time.Duration;

/** The one Archive that all tests of this JVM share which do not kill it, started with the first that asks and ended with the JVM. */
final class TestArchive {
    private static final class Started {
        static final ArchiveProcess ARCHIVE = start();

        private static ArchiveProcess start() {
            ArchiveProcess archive = ArchiveProcess.start(Duration.ofSeconds(30));
            Runtime.getRuntime().addShutdownHook(new Thread(archive::close, "test-archive-close"));
            return archive;
        }
    }

    private TestArchive() {}

    static ArchiveProcess shared() {
        return Started.ARCHIVE;
    }

    /** Options for tests: terms that are short enough to fill. */
    static ArchiveOptions options() {
        return ArchiveOptions.defaults()
                .withDriver(shared().driver())
                .withTermLength(AeronOptions.LEAST_TERM)
                .withMaxPayload(100);
    }
}
