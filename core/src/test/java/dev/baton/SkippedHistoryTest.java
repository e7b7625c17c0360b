package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Requests that are remembered, over a last topic whose newest record cannot be read. */
class SkippedHistoryTest {
    private static final ValueCodec<Long> NUMBERS = ValueCodec.longs(0);
    private final HostileTransport hostile = new HostileTransport();
    private boolean isDamaged; // the newest frame of the last topic

    private interface Change {
        Object of(Object result, Method method, Object[] args) throws Throwable;
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<T> type, Object target, Change change) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return change.of(target, method, args);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        });
    }

    private Transport transport() {
        return proxy(Transport.class, hostile, (to, method, args) -> {
            Object result = method.invoke(to, args);
            return result instanceof Connection made ? connection(made) : result;
        });
    }

    private Connection connection(Connection made) {
        return proxy(Connection.class, made, (to, method, args) -> {
            Object result = method.invoke(to, args);
            boolean isHistory = method.getName().equals("openReader") && args[0].equals("c-1") && isDamaged;
            return isHistory ? reader((TopicReader) result) : result;
        });
    }

    /** Meets a record that cannot be read in place of the newest frame, and skips it as the contract says. */
    private TopicReader reader(TopicReader read) {
        boolean[] is = {false, false}; // the record was met, it was skipped
        long newest = hostile.topic("c-1").size();
        return proxy(TopicReader.class, read, (to, method, args) -> {
            if (method.getName().equals("skipUnreadable")) {
                is[1] |= is[0];
                return is[1];
            }
            if (method.getName().equals("backlog") && is[1]) {
                return 0L;
            }
            if (!method.getName().equals("poll")) {
                return method.invoke(to, args);
            }
            if (is[1]) {
                return 0;
            }
            FrameHandler handler = (FrameHandler) args[0];
            FrameHandler damaged = (frame, position) -> {
                if (frame.sequence() == newest) {
                    is[0] = true;
                    throw new DamagedTopicException("a record that is no frame", false);
                }
                return handler.onFrame(frame, position);
            };
            return method.invoke(to, damaged, args[1]);
        });
    }

    @Test
    void damagedEndOfLastTopicDoesNotRefuseRequests() {
        hostile.room = 64;
        run();
        isDamaged = true;
        run();
    }

    private void run() {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport())
                        .with(loops)
                        .onOutput(in -> {})
                        .openWithin(Duration.ofSeconds(2))
                        .onUnreadable(Deployment.UnreadableFrames.SKIP)
                        .resends(2000, Duration.ofMinutes(5))
                        .start()) {
            Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS);
            CompletableFuture<Optional<Long>> reply =
                    requests.ask(1L, new MessageFields(), UUID.randomUUID(), Duration.ofSeconds(5));
            for (int i = 0; i < 40; i++) {
                loops.turn();
            }
            assertThat(reply).isCompleted();
        }
    }
}
