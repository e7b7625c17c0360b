package dev.baton.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.baton.broken.heap.HeapFixture;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.StorageFaultTck;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.admin.RetentionTck;
import dev.baton.tck.group.GroupTck;
import dev.baton.tck.network.NetworkFaultTck;
import dev.baton.tck.network.StalledServerTck;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Classes of the contract are skipped, and do not fail, where a transport or its fixture has not what they test. */
class SkippedClassesTest {
    interface OnMemory extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return HeapFixture.whole();
        }
    }

    static class OfGroup extends GroupTck implements OnMemory {}

    static class OfNetworkFault extends NetworkFaultTck implements OnMemory {}

    static class OfStalledServer extends StalledServerTck implements OnMemory {}

    static class OfRetention extends RetentionTck implements OnMemory {}

    static class OfStorageFault extends StorageFaultTck implements OnMemory {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfGroup.class,
                OfNetworkFault.class,
                OfStalledServer.class,
                OfRetention.class,
                OfStorageFault.class
            })
    void missingFeaturesAreSkipped(Class<?> theme) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(theme))
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        StringWriter failures = new StringWriter();
        summary.printFailuresTo(new PrintWriter(failures));

        assertThat(summary.getTotalFailureCount()).as(failures.toString()).isZero();
        assertThat(summary.getTestsAbortedCount())
                .as("tests that are skipped")
                .isEqualTo(summary.getTestsFoundCount())
                .isPositive();
    }
}
