package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.errors.AccessRefusedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A permission that is taken away while a chain runs stops it or its sender, and is named. */
@Tag("slow")
@Timeout(120)
@Tag("long")
class WithdrawnAclTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String USER = SecureBroker.SAM;

    private static SecureBroker broker;

    @BeforeAll
    static void start() {
        broker = new SecureBroker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({
        "TOPIC, WRITE, Write on topic 'run-",
        "TOPIC, READ, Read on topic 'run-",
        "GROUP, READ, Read on group 'baton."
    })
    void itStopsTheChainAndIsNamed(ResourceType kind, AclOperation operation, String named) {
        broker.withdrawAll();
        broker.allow(USER, ResourceType.TOPIC, "run-", AclOperation.CREATE, AclOperation.READ, AclOperation.WRITE);
        broker.allow(USER, ResourceType.TOPIC, "run-", AclOperation.DESCRIBE);
        broker.allow(USER, ResourceType.GROUP, "baton.", AclOperation.READ, AclOperation.DESCRIBE);
        AtomicReference<Throwable> stopped = new AtomicReference<>();
        AtomicLong received = new AtomicLong();
        Chain chain = Chain.named(
                        "run-" + kind.name().charAt(0) + operation.name().charAt(0))
                .then("forward", () -> (in, out) -> out.forward(in))
                .build();
        try (KafkaTransport transport = broker.open(broker.login(USER));
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(message -> received.incrementAndGet())
                        .onFailure(cause -> stopped.compareAndSet(null, cause))
                        .start()) {
            await().pollInSameThread().atMost(LIMIT).until(() -> send(running, stopped) && received.get() > 100);

            broker.withdraw(USER, kind, kind == ResourceType.TOPIC ? "run-" : "baton.", operation);

            await().pollInSameThread().atMost(LIMIT).until(() -> !send(running, stopped) || stopped.get() != null);
        } catch (AccessRefusedException atClose) { // frames that the sender had in hand were refused, too
            stopped.compareAndSet(null, atClose);
        }
        assertThat(refusal(stopped.get()))
                .as("%s", stopped.get())
                .isNotNull()
                .hasMessageContaining("needs an ACL that allows " + named);
    }

    /** Sends until there is no room. @return true, or false once the chain has stopped */
    private static boolean send(RunningChain running, AtomicReference<Throwable> stopped) {
        try {
            for (int i = 0; i < 100; i++) {
                Claim claim = running.inlet().tryClaim(8);
                if (claim == null) {
                    return true;
                }
                claim.putLong(0, i).commit(8);
            }
            return true;
        } catch (RuntimeException refused) {
            stopped.compareAndSet(null, refused);
            return false;
        }
    }

    private static AccessRefusedException refusal(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof AccessRefusedException found) {
                return found;
            }
        }
        return null;
    }
}
