package dev.baton.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.chains.ChainProvider;
import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OrdersProviderTest {
    private static final int ORDERS = 1_000;

    private final ProvidedChain orders = ServiceLoader.load(ChainProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("orders"))
            .findFirst()
            .orElseThrow()
            .open(Map.of("rejected", "10", "risky", "20"));

    /** Sends orders through the pipeline, and gives its outputs to a test. */
    private void run(Consumer<Message> outputs) {
        MessageGenerator generator = orders.generator(7, 0);
        try (Transport transport = new DisruptorProvider().open(Map.of());
                Loops loops = Loops.cooperative(1);
                RunningChain running = orders.chain()
                        .on(transport)
                        .with(loops)
                        .onOutput(outputs::accept)
                        .start()) {
            Inlet inlet = running.inlet();
            for (long number = 0; number < ORDERS; number++) {
                Claim claim = inlet.tryClaim(orders.maxPayload());
                while (claim == null) {
                    Thread.onSpinWait();
                    claim = inlet.tryClaim(orders.maxPayload());
                }
                claim.commit(generator.write(number, claim));
            }
        }
    }

    @Test
    void bookedOrdersAreRightAndFilteredAsConfigured() {
        OutputCheck check = orders.check(7, 0);
        List<Long> booked = new ArrayList<>();
        run(output -> {
            booked.add(output.getLong(0));
            assertThat(check.fault(output.getLong(0), 0, output)).isNull();
        });

        List<Long> due = new ArrayList<>();
        for (long number = 0; number < ORDERS; number++) {
            if (check.outputs(number) == 1) {
                due.add(number);
            }
        }
        assertThat(booked).isEqualTo(due);
        assertThat(booked.size()).isBetween(650, 750);
    }

    @Test
    void anOrderThatIsAnotherOneIsWrong() {
        OutputCheck check = orders.check(7, 0);
        List<String> faults = new ArrayList<>();
        run(output -> faults.add(check.fault(output.getLong(0) + 1, 0, output)));

        assertThat(faults).isNotEmpty().doesNotContainNull();
    }

    @Test
    void seedAndInstanceDetermineTheOrders() {
        OutputCheck one = orders.check(7, 1);
        OutputCheck same = orders.check(7, 1);
        OutputCheck other = orders.check(8, 1);
        int different = 0;
        for (long number = 0; number < ORDERS; number++) {
            assertThat(one.outputs(number)).isEqualTo(same.outputs(number));
            different += one.outputs(number) == other.outputs(number) ? 0 : 1;
        }
        assertThat(different).isPositive();
    }

    @Test
    void unknownOptionIsRefusedWithKnownOnes() {
        assertThatThrownBy(() -> new OrdersProvider().open(Map.of("colour", "red")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rejected (0 to 50)");
    }
}
