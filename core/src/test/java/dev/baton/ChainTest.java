package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final Service PASS = (in, out) -> out.forward(in);

    @Test
    void topicsHaveChainNameAndInstanceNumber() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build();
        assertThat(chain.hops()).isEqualTo(2);
        assertThat(chain.topic(0, 0)).isEqualTo("orders-0");
        assertThat(chain.topic(7, 1)).isEqualTo("orders--7-1");
    }

    @Test
    void namesNoTransportAllowsAreRefusedWithRule() {
        assertThatThrownBy(() -> Chain.named("a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a/b'")
                .hasMessageContaining("letters, digits");
    }

    @Test
    void aServiceNameIsTakenOnlyOnce() {
        Chain.Builder builder = Chain.named("orders").then("price", () -> PASS);
        assertThatThrownBy(() -> builder.then("price", () -> PASS)).hasMessageContaining("'price' is taken");
        assertThatThrownBy(() -> builder.then("sink", () -> PASS)).hasMessageContaining("'sink' is taken");
    }

    @Test
    void renamedChainHasOwnTopicsDecoratedHasSame() throws Exception {
        List<String> made = new ArrayList<>();
        Chain chain = Chain.named("orders")
                .then("price", () -> PASS, ErrorPolicy.retry(2))
                .then("book", () -> PASS)
                .build();
        Chain other = chain.renamed("trial").decorated((name, service) -> {
            made.add(name + " " + (service == PASS));
            return service;
        });

        assertThat(other.topic(0, 1)).isEqualTo("trial-1");
        assertThat(other.services()).containsExactly("price", "book");
        assertThat(made).isEmpty();
        assertThat(other.newService("price")).isSameAs(PASS);
        assertThat(other.newService("book")).isSameAs(PASS);
        assertThat(made).containsExactly("price true", "book true");
        assertThat(chain.topic(0, 1)).isEqualTo("orders-1");
        assertThatThrownBy(() -> chain.renamed("a/b")).hasMessageContaining("'a/b'");
    }

    @Test
    void partRunsAgainOverExistingTopic() {
        Chain chain = Chain.named("orders")
                .then("enrich", () -> (in, out) -> {})
                .then("price", () -> (in, out) -> {})
                .then("book", () -> (in, out) -> {})
                .build();

        Chain again = chain.again("again", "orders-1", List.of("price", "book"));
        assertThat(again.isObserving()).isTrue();

        assertThat(again.services()).containsExactly("price", "book");
        assertThat(List.of(again.topic(0, 0), again.topic(0, 1), again.topic(0, 2)))
                .containsExactly("orders-1", "again-1", "again-2");
        assertThat(again.consumer(0, 0)).isEqualTo("observer.again--price");
        assertThatThrownBy(() -> chain.again("again", "orders-1", List.of("enrich", "book")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("services enrich, book are not in a row in chain orders, which has enrich, price, book");
        assertThatThrownBy(() -> chain.again("again", "orders-1", List.of("book", "price")))
                .hasMessageContaining("not in a row");
        assertThatThrownBy(() -> chain.again("again", "orders-1", List.of())).hasMessageContaining("not in a row");
        assertThatThrownBy(() -> chain.again("orders", "orders-1", List.of("price")))
                .hasMessageContaining("is one of chain orders itself");
    }

    @Test
    void chainWithoutServicesIsOneTopic() {
        Chain chain = Chain.named("wire").build();
        assertThat(chain.hops()).isEqualTo(1);
        List<Long> seen = new ArrayList<>();
        try (HostileTransport transport = new HostileTransport();
                Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> seen.add(in.getLong(0)))
                        .start()) {
            running.inlet().send(new byte[] {7, 0, 0, 0, 0, 0, 0, 0});
            for (int turn = 0; turn < 100 && seen.isEmpty(); turn++) {
                loops.turn();
            }
            assertThat(seen).containsExactly(7L);
            assertThat(transport.topics()).containsExactly("wire-0");
        }
    }

    @Test
    void sourceWakesTheLoopThatReadsItsTopic() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(3);
        long begin = System.nanoTime() + 50_000_000; // by when both loops have gone to sleep
        Source threeInTime = new Source() {
            private int sent;

            @Override
            public int onTick(Outlet out) {
                if (sent == 3 || System.nanoTime() - deadlineNanos() < 0) {
                    return 0;
                }
                Claim claim = out.claim(0);
                if (claim == null) {
                    return 0;
                }
                claim.commit(0);
                sent++;
                return 1;
            }

            @Override
            public long deadlineNanos() {
                return sent == 3 ? Long.MAX_VALUE : begin + sent * 50_000_000L;
            }
        };
        try (HostileTransport transport = new HostileTransport();
                Loops loops = Loops.threadPerService().idle(Idle.park(Duration.ofHours(1)));
                RunningChain running = Chain.named("wire")
                        .build()
                        .on(transport)
                        .with(loops)
                        .from(threeInTime)
                        .onOutput(in -> arrived.countDown())
                        .start()) {
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(running.failure()).isEmpty();
        }
    }

    @Test
    void inProcessTransportRefusesPartsOfChains() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build();
        try (HostileTransport transport = new HostileTransport().without(Guarantee.CROSS_PROCESS);
                Loops loops = Loops.manual()) {
            assertThatThrownBy(
                            () -> chain.on(transport).with(loops).only("price").start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("hostile cannot run a chain in several processes");
        }
    }

    @Test
    void onlyNamesTheServicesThatExist() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build();
        assertThatThrownBy(() -> chain.on(new HostileTransport()).only("prize"))
                .hasMessageContaining("no service 'prize'")
                .hasMessageContaining("price");
    }

    @Test
    void decoratedChainKeepsNamesAndPolicies() {
        List<String> calls = new ArrayList<>();
        Chain chain = Chain.named("orders")
                .then("check", () -> PASS)
                .then(
                        "price",
                        () -> PASS,
                        ErrorPolicy.skipTo((service, in, attempts, cause) -> calls.add("skipped by " + service)))
                .build();
        Chain decorated = chain.decorated((name, service) -> (in, out) -> {
            calls.add(name + " " + in.sequence());
            if (name.equals("price")) {
                throw new IllegalStateException("too dear");
            }
            service.onMessage(in, out);
        });
        assertThat(decorated.services()).isEqualTo(chain.services());
        try (HostileTransport transport = new HostileTransport();
                Loops loops = Loops.manual()) {
            for (Chain each : List.of(decorated, chain)) { // over the same topics
                try (RunningChain running = each.on(transport).with(loops).start()) {
                    running.inlet().send(new byte[1]);
                }
            }
            assertThat(calls).containsExactly("check 1", "price 1", "skipped by price");
            assertThat(transport.frames("orders-2")).hasSize(1);
        }
    }

    @Test
    void decoratorThatReturnsNothingIsNamedAtStart() {
        Chain chain = Chain.named("orders").then("price", () -> PASS).build().decorated((name, service) -> null);
        try (HostileTransport transport = new HostileTransport();
                Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> chain.on(transport).with(loops).start())
                    .hasMessage("the factory of service price returned null");
        }
    }

    @Test
    void chainsCloseTogetherAndEachHasItsAnswer() {
        Chain stalled = Chain.named("stalled")
                .then("price", () -> (in, out) -> {
                    throw new IllegalStateException("not yet");
                })
                .build();
        Chain sound = Chain.named("sound").then("price", () -> PASS).build();
        AtomicInteger delivered = new AtomicInteger();
        try (HostileTransport transport = new HostileTransport();
                Loops loops = Loops.cooperative(1)) {
            RunningChain first = stalled.on(transport)
                    .with(loops)
                    .onError(ErrorPolicy.retry(1).after(Duration.ofHours(1)))
                    .onFailure(failure -> {})
                    .start();
            RunningChain second = sound.on(transport)
                    .with(loops)
                    .onOutput(in -> delivered.incrementAndGet())
                    .start();
            first.inlet().send(new byte[1]);
            second.inlet().send(new byte[1]);

            RunningChain.closeAll(List.of(first, second), Duration.ofMillis(200));
            RunningChain.closeAll(List.of(), Duration.ZERO);

            assertThat(first.close(Duration.ZERO)).isFalse();
            assertThat(second.close(Duration.ZERO)).isTrue();
            assertThat(delivered).hasValue(1);
        }
    }

    @Test
    void manualLoopsSayWhenARetryIsDue() {
        Chain chain = Chain.named("orders")
                .then("price", () -> (in, out) -> {
                    throw new IllegalStateException("not yet");
                })
                .build();
        try (HostileTransport transport = new HostileTransport();
                Loops loops = Loops.manual()) {
            assertThat(loops.nanosToDeadline()).isEqualTo(Long.MAX_VALUE);
            try (RunningChain running = chain.on(transport)
                    .with(loops)
                    .onError(ErrorPolicy.retry(1).after(Duration.ofHours(1)))
                    .onFailure(failure -> {})
                    .start()) {
                assertThat(loops.nanosToDeadline()).isEqualTo(Long.MAX_VALUE);
                running.inlet().send(new byte[1]);
                loops.turn();
                assertThat(loops.nanosToDeadline())
                        .isBetween(
                                Duration.ofMinutes(59).toNanos(),
                                Duration.ofHours(1).toNanos());
                running.inlet().send(new byte[1]);
                loops.turn();
                assertThat(running.failure()).isEmpty();
                running.close(Duration.ofMillis(1)); // the retry would be due in an hour
            }
        }
        assertThatThrownBy(() -> {
                    try (Loops loops = Loops.cooperative(1)) {
                        loops.nanosToDeadline();
                    }
                })
                .hasMessageContaining("only manual loops are turned by their caller");
    }
}
