package dev.baton.lab.study.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers.Slots;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.test.ChainTester;
import dev.baton.test.Output;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvidedNumbersTest {
    private final ProvidedNumbers numbers =
            ProvidedNumbers.of(ChainOptions.choose("orders", List.of("rejected=50", "risky=20")), 5);

    @Test
    void filteredMessagesAreKnownByTheirNumbers() {
        BitSet filtered = numbers.filtered(1_000);

        assertThat(filtered.cardinality()).isBetween(650, 750);
        for (int number = 1; number <= 1_000; number++) {
            assertThat(filtered.get(number)).isEqualTo(numbers.isFiltered(number));
        }
        assertThat(numbers.maxPayload()).isEqualTo(48);
    }

    @Test
    void lastFilteredMessagesAreNotAwaited() {
        for (long sent = 0; sent <= 200; sent++) {
            long due = numbers.newestDue(sent);

            assertThat(due).isBetween(0L, sent);
            assertThat(due == 0 || !numbers.isFiltered(due)).isTrue();
            assertThat(numbers.passed(due, sent)).isEqualTo(sent);
        }
    }

    @Test
    void dueMessageIsNotPassedEarly() {
        long due = numbers.newestDue(200);

        assertThat(numbers.passed(due - 1, 200)).isEqualTo(due - 1);
    }

    /** The balance of an account after a payment that was booked once, and after one that was booked twice. */
    @Test
    void paymentBookedTwiceIsFound() {
        Chain chain = ChainOptions.choose("accounts", List.of()).open().chain();
        ProvidedNumbers accounts = ProvidedNumbers.of(ChainOptions.choose("accounts", List.of()), 5);
        try (ChainTester tester = ChainTester.of(chain).start()) {
            for (long number : new long[] {1, 2, 2}) {
                Claim claim = tester.inlet().tryClaim(16);
                claim.commit(accounts.write(number, claim));
            }
            tester.advance(Duration.ofMillis(1));
            List<Output> outputs = tester.take();

            assertThat(accounts.isWhole(1, outputs.get(0))).isTrue();
            assertThat(accounts.isWhole(2, outputs.get(1))).isTrue();
            assertThat(accounts.isWhole(2, outputs.get(2))).isFalse();
        }
    }

    @Test
    void onlySlotsHaveNumbers() {
        Slots slots = new Slots(5_000, 100);

        assertThat(slots.number(5_000)).isEqualTo(1);
        assertThat(slots.number(5_700)).isEqualTo(8);
        assertThat(slots.number(5_701)).isZero();
        assertThat(slots.number(4_900)).isZero();
        assertThat(slots.number(Long.MIN_VALUE)).isZero();
    }
}
