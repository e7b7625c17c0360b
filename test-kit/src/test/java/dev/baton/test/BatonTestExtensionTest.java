package dev.baton.test;

import static dev.baton.test.Numbers.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What JUnit tests are given as parameters, and what they say when they fail. */
@BatonTest
class BatonTestExtensionTest {
    private static final List<Tester<?>> KEPT = new ArrayList<>();
    private static final List<Long> SEEDS = new ArrayList<>();

    private static final class Pass implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
        }
    }

    private static final class PassTwice implements Supplier<Chain> {
        @Override
        public Chain get() {
            return Chain.named("twice")
                    .then("one", Pass::new)
                    .then("two", Pass::new)
                    .build();
        }
    }

    private static final class Passes implements Supplier<Service> {
        @Override
        public Service get() {
            return new Pass();
        }
    }

    @Test
    void everyParameterIsResolved(
            Testers testers,
            @TestOf(Pass.class) ServiceTester service,
            @TestOf(Passes.class) ServiceTester supplied,
            @TestOf(PassTwice.class) ChainTester chain,
            @Seed long seed) {
        assertThat(service.send(bytes(1)).assertRepeatable().take()).hasSize(1);
        assertThat(supplied.send(bytes(1)).take()).hasSize(1);
        assertThat(chain.send(bytes(1)).takeOne().servicesPassed()).isEqualTo(2);
        assertThat(testers.of("pass", Pass::new).send(bytes(1)).take()).hasSize(1);
        assertThat(seed).isPositive();
    }

    /** Run by the tests below, not by the build. */
    @BatonTest
    static class Failing {
        @Test
        void failsWithASeed(@TestOf(Pass.class) ServiceTester tester, @Seed long seed) {
            KEPT.add(tester.send(bytes(1)));
            SEEDS.add(seed);
            throw new IllegalStateException("something");
        }

        @Test
        void hasATesterOfSomethingElse(@TestOf(String.class) ServiceTester tester) {
            throw new AssertionError(tester);
        }

        @Test
        void hasAServiceWithArguments(@TestOf(NeedsArguments.class) ServiceTester tester) {
            throw new AssertionError(tester);
        }
    }

    private static final class NeedsArguments implements Service {
        private final int argument;

        NeedsArguments(int argument) {
            this.argument = argument;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            throw new IllegalStateException("" + argument);
        }
    }

    private static Map<String, Throwable> failures() {
        Map<String, Throwable> failures = new TreeMap<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Failing.class))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable().ifPresent(failure -> failures.put(test.getDisplayName(), failure));
            }
        });
        return failures;
    }

    @Test
    void failureNamesItsSeedAndClosesItsTesters() {
        KEPT.clear();
        SEEDS.clear();
        Map<String, Throwable> failures = failures();
        StringWriter text = new StringWriter();
        failures.get("failsWithASeed(ServiceTester, long)").printStackTrace(new PrintWriter(text));
        assertThat(text.toString()).contains("something", "repeat with -Dbaton.test.seed=" + SEEDS.get(0));
        assertThatThrownBy(() -> KEPT.get(0).start()).hasMessageContaining("this tester is closed");
        assertThat(failures.get("hasATesterOfSomethingElse(ServiceTester)"))
                .hasMessageContaining("@TestOf(String.class) is not a service, or a supplier of services");
        assertThat(failures.get("hasAServiceWithArguments(ServiceTester)"))
                .hasMessageContaining("testers.of(() -> new NeedsArguments(...))");
    }

    @Test
    void seedIsStableUnlessThePropertySetsIt() {
        SEEDS.clear();
        failures();
        failures();
        assertThat(SEEDS).hasSize(2);
        assertThat(SEEDS.get(1)).isEqualTo(SEEDS.get(0));
        System.setProperty("baton.test.seed", "77/3");
        try {
            failures();
        } finally {
            System.clearProperty("baton.test.seed");
        }
        assertThat(SEEDS.get(2)).isEqualTo(77);
    }
}
