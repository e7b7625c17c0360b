package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Message;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** The choice of messages that are timed. */
class SampledHandlerTest {
    private static final Message MESSAGE = (Message) Proxy.newProxyInstance(
            SampledHandlerTest.class.getClassLoader(),
            new Class<?>[] {Message.class},
            (proxy, method, arguments) -> method.getReturnType() == boolean.class ? (Object) false : System.nanoTime());

    private static final int MOST = 20; // messages of a batch

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Registries registries = new Registries();
    private final PartTimers timers = new PartTimers(registries, Tags.of("service", "one"));
    private final SampledHandler handler = timers.handler((in, out) -> in.originNanos());

    private int passed; // in the last batch
    private long past; // in all of them

    SampledHandlerTest() {
        registries.bind(registry);
    }

    private long samples() {
        return registry.get("baton.service.time").timer().count();
    }

    private void send(int messages) throws Exception {
        for (int i = 0; i < messages; ) {
            int batch = Math.min(messages - i, 1 + i % MOST);
            if (handler.takesBatch(passed, MOST)) {
                passed = 0;
                for (int message = 0; message < batch; message++) {
                    handler.onMessage(MESSAGE, null);
                }
            } else {
                passed = batch;
                past += batch;
                for (int message = 0; message < batch; message++) {
                    MESSAGE.originNanos(); // as the service does
                }
            }
            i += batch;
        }
    }

    @Test
    void highRateIsSampledThousandTimesPerSecond() throws Exception {
        send(200_000);
        long before = samples();
        long begun = System.nanoTime();
        long sent = 0;
        while (System.nanoTime() - begun < 300_000_000L) {
            send(1_000);
            sent += 1_000;
        }
        double seconds = (System.nanoTime() - begun) / 1e9;

        assertThat(sent / seconds).as("messages a second").isGreaterThan(5_000);
        assertThat(past).as("messages that went past it").isGreaterThan(sent / 2);
        assertThat((samples() - before) / seconds).as("samples a second").isBetween(100.0, 5_000.0);
    }

    @Test
    void nudgeSamplesMessageAfterLongGap() throws Exception {
        send(1_000_000);
        long before = samples();
        await().until(() -> {
            timers.nudge();
            send(1);
            return samples() > before;
        });
        long first = samples();
        await().pollInterval(java.time.Duration.ofMillis(5)).until(() -> {
            send(1);
            return samples() >= first + 3;
        });
    }

    /** Each service object of a part with concurrent calls has a handler. */
    @Test
    void nudgeReachesAllHandlersOfPart() throws Exception {
        send(1_000_000);
        SampledHandler other = timers.handler((in, out) -> {});
        long before = samples();
        await().until(() -> {
            timers.nudge();
            send(1);
            return samples() > before;
        });
        other.onMessage(MESSAGE, null);
    }
}
