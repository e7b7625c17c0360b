package dev.baton.broken;

import dev.baton.broken.defects.PlantedDefect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one class of the contract against a defect, in this process, until it is caught. Thread-safe. */
final class ContractRun {
    private static final long LIMIT_SECONDS = 100;
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

    private static final ThreadLocal<Failures> RUNNING = new ThreadLocal<>();

    /**
     * The failures of a class of the contract over a defect.
     *
     * @param failures the test's name, a colon, and its message, of each that failed
     * @param caught the failure that the defect asks for; null if there is none
     * @param caughtAfter the time from the begin to that failure
     */
    record Outcome(List<String> failures, String caught, Duration caughtAfter) {}

    private ContractRun() {}

    /** {@return whether the defect that the calling thread runs is caught} */
    static boolean isCaught() {
        return RUNNING.get() != null && RUNNING.get().caught != null;
    }

    /**
     * Runs the class that catches the defect.
     *
     * @param longestWait after which what is awaited in vain has failed
     * @throws AssertionError when the run has not ended within {@value #LIMIT_SECONDS} seconds
     */
    static Outcome of(PlantedDefect defect, Duration longestWait) throws InterruptedException, ExecutionException {
        FutureTask<Outcome> run = new FutureTask<>(() -> run(defect, longestWait));
        Thread thread =
                new Thread(new ThreadGroup("contract"), run, "contract"); // threads of concurrent runs do not count
        thread.setDaemon(true);
        thread.start();
        try {
            return run.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException hangs) {
            AssertionError error = new AssertionError(
                    defect.caughtBy().getSimpleName() + " hangs where " + defect.name() + "; it is here");
            error.setStackTrace(thread.getStackTrace());
            thread.interrupt();
            throw error;
        }
    }

    private static Outcome run(PlantedDefect defect, Duration longestWait) {
        BrokenTck.plant(defect, longestWait);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(BrokenTck.running(defect.caughtBy())))
                .configurationParameter(PARALLEL, "false") // a defect is planted for the calling thread
                .build();
        Failures failures = new Failures(Pattern.compile(defect.report()));
        RUNNING.set(failures);
        LauncherFactory.create().execute(request, failures);
        return new Outcome(failures.texts, failures.caught, Duration.ofNanos(failures.caughtNanos));
    }

    private static final class Failures implements TestExecutionListener {
        private final long startNanos = System.nanoTime();
        private final List<String> texts = new ArrayList<>();
        private final Pattern report;
        private String caught; // the first that is asked for; null until then
        private long caughtNanos;

        Failures(Pattern report) {
            this.report = report;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                result.getThrowable().ifPresent(failed -> failed(test.getLegacyReportingName(), failed));
            }
        }

        private void failed(String test, Throwable failed) {
            String text = test + ": " + String.valueOf(failed.getMessage()).replace('\n', ' ');
            texts.add(text);
            if (caught == null && report.matcher(text).lookingAt()) {
                caught = text;
                caughtNanos = System.nanoTime() - startNanos;
            }
        }
    }
}
