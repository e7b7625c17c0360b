package dev.baton.tck.broken;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one class of the contract against a defect, in this process. Thread-safe. */
final class ContractRun {
    private static final long LIMIT_SECONDS = 100;

    private ContractRun() {}

    /**
     * What failed: the test's name, a colon, and its message, of each.
     *
     * @param longestWait after which what is awaited in vain has failed
     * @throws AssertionError when the run has not ended within {@value #LIMIT_SECONDS} seconds
     */
    static List<String> failures(Defect defect, Duration longestWait) throws InterruptedException, ExecutionException {
        FutureTask<List<String>> run = new FutureTask<>(() -> run(defect, longestWait));
        Thread thread = new Thread(run, "contract");
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

    private static List<String> run(Defect defect, Duration longestWait) {
        BrokenTck.plant(defect, longestWait);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(BrokenTck.running(defect.caughtBy())))
                .build();
        Failures failures = new Failures();
        LauncherFactory.create().execute(request, failures);
        return failures.texts;
    }

    private static final class Failures implements TestExecutionListener {
        private final List<String> texts = new ArrayList<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() != TestExecutionResult.Status.FAILED) {
                return;
            }
            result.getThrowable()
                    .ifPresent(failed -> texts.add(test.getLegacyReportingName() + ": "
                            + failed.getMessage().replace('\n', ' ')));
        }
    }
}
