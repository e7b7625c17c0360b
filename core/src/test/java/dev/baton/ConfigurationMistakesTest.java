package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.codec.RoutingService;
import dev.baton.codec.TypedService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes of configuration: they stop the chain at the first message, whatever the error policy is. */
class ConfigurationMistakesTest {
    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private RunningChain running;

    @AfterEach
    void close() {
        running.close();
        loops.close();
        assertThat(transport.openConnections).isZero();
    }

    static List<ErrorPolicy> policies() {
        return List.of(
                ErrorPolicy.deadLetter(),
                ErrorPolicy.retry(100).thenDeadLetter(),
                ErrorPolicy.retry(100).perKey(),
                ErrorPolicy.skipTo((service, in, attempts, cause) -> {}),
                ErrorPolicy.stop().on(IllegalArgumentException.class, ErrorPolicy.deadLetter()),
                ErrorPolicy.deadLetter().on(RuntimeException.class, ErrorPolicy.deadLetter()));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void wrongTypeStopsWhateverThePolicy(ErrorPolicy policy) {
        start(TypedService.mapping(OfType.SEVEN, OfType.SEVEN, value -> value), policy);
        assertStopped(UnexpectedTypeException.class, "has type 0; codec " + OfType.class.getName() + " reads type 7");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void missingRouteStopsWhateverThePolicy(ErrorPolicy policy) {
        start(RoutingService.byType().on(OfType.SEVEN, (value, out) -> {}), policy);
        assertStopped(UnexpectedTypeException.class, "has type 0; the routes are 7");
    }

    @Test
    void codecOfWrongLengthStops() {
        start(() -> (in, out) -> out.send(1L, OfType.TOO_LONG), ErrorPolicy.deadLetter());
        assertStopped(ConfigurationException.class, "encode returned 8; 0 to 4, its maxLength, are allowed");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void codecThatWritesBeyondItsLengthStops(ErrorPolicy policy) {
        start(() -> (in, out) -> out.send(1L, new Overrunning()), policy);
        assertStopped(
                ConfigurationException.class,
                "codec " + Overrunning.class.getName() + ": encode wrote beyond the 4 bytes of its maxLength");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void codecsThatCannotEncodeStop(ErrorPolicy policy) {
        start(() -> (in, out) -> out.send(1L, new ReadOnly()), policy);
        assertStopped(
                ConfigurationException.class, "codec " + ReadOnly.class.getName() + " cannot encode: it only reads");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void missingCodecsStop(ErrorPolicy policy) {
        start(() -> (in, out) -> out.send(1L, (Serde<Long>) null), policy);
        assertStopped(ConfigurationException.class, "codec must not be null");
    }

    @Test
    void moreOutputsThanDeclaredStop() {
        start(
                () -> (in, out) -> {
                    out.forward(in);
                    out.forward(in);
                },
                ErrorPolicy.deadLetter());
        assertStopped(ConfigurationException.class, "maxOutputs is 1 and used up");
    }

    @Test
    void holdingWithoutDeclarationStops() {
        start(
                () -> new Service() {
                    private ServiceContext context;

                    @Override
                    public void onStart(ServiceContext given) {
                        context = given;
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        context.holdFrom(1);
                    }
                },
                ErrorPolicy.deadLetter());
        assertStopped(ConfigurationException.class, "service s1 holds no inputs");
    }

    @Test
    void namedMistakesFollowTheirPolicy() {
        start(
                TypedService.mapping(OfType.SEVEN, OfType.SEVEN, value -> value),
                ErrorPolicy.stop().on(ConfigurationException.class, ErrorPolicy.deadLetter()));
        send();
        assertThat(running.failure()).isEmpty();
        assertThat(transport.frames("c-0.dead-letters")).hasSize(2);
    }

    @Test
    void mistakesOfTheOutputHandlerStop() {
        running = Chain.named("c")
                .build()
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.deadLetter())
                .onFailure(failure -> {})
                .onOutput(OfType.SEVEN, (value, in) -> {})
                .start();
        assertStopped(UnexpectedTypeException.class, "reads type 7");
    }

    private void start(Supplier<? extends Service> service, ErrorPolicy policy) {
        running = Chain.named("c")
                .then("s1", service)
                .build()
                .on(transport)
                .with(loops)
                .onError(policy)
                .onFailure(failure -> {})
                .start();
    }

    private void send() {
        running.inlet().send(new byte[8]);
        for (int i = 0; i < 10; i++) {
            loops.turn();
        }
    }

    private void assertStopped(Class<? extends Exception> kind, String text) {
        send();
        assertThat(running.failure().orElseThrow())
                .isInstanceOf(ServiceFailure.class)
                .hasCauseInstanceOf(kind)
                .hasMessageContaining("at message 1 of topic c-0")
                .hasMessageContaining(text);
        assertThat(transport.topics().stream()
                        .filter(topic -> topic.endsWith(".dead-letters"))
                        .flatMap(topic -> transport.frames(topic).stream()))
                .isEmpty();
        assertThat(transport.topic("c-0").acknowledged.getOrDefault("s1", 0L)).isZero();
    }

    private record OfType(int type, int maxLength) implements ValueCodec<Long> {
        static final OfType SEVEN = new OfType(7, Long.BYTES);
        static final OfType TOO_LONG = new OfType(0, Integer.BYTES);

        @Override
        public int maxLength(Long value) {
            return maxLength;
        }

        @Override
        public int encode(Long value, Claim into) {
            return Long.BYTES;
        }

        @Override
        public Long decode(Message from) {
            return from.getLong(0);
        }
    }

    private static final class Overrunning implements ValueCodec<Long> {
        @Override
        public int type() {
            return 0;
        }

        @Override
        public int maxLength(Long value) {
            return Integer.BYTES;
        }

        @Override
        public int encode(Long value, Claim into) {
            into.putLong(0, value);
            return Long.BYTES;
        }

        @Override
        public Long decode(Message from) {
            return from.getLong(0);
        }
    }

    /** A codec of a service that only reads. */
    private static final class ReadOnly implements ValueCodec<Long> {
        @Override
        public int maxLength(Long value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Long value, Claim into) {
            throw new UnsupportedOperationException("it only reads");
        }

        @Override
        public Long decode(Message from) {
            return from.getLong(0);
        }
    }
}
