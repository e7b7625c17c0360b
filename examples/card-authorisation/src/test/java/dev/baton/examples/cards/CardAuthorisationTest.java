package dev.baton.examples.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.examples.cards.CardAuthorisation.Decision;
import dev.baton.examples.cards.CardAuthorisation.Payment;
import dev.baton.test.ChainTester;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The chain on a virtual clock. */
class CardAuthorisationTest {
    private static ChainTester tester() {
        return ChainTester.of(CardAuthorisation.chain(card -> 100));
    }

    private static void pay(ChainTester tester, String id, String card, long cents) {
        tester.send(new Payment(id, card, cents), Payment.CODEC, StandardCharsets.UTF_8.encode(card));
    }

    @Test
    void limitCountsTheCardsNewestMinute() {
        try (ChainTester tester = tester()) {
            pay(tester, "a", "one", 60);
            pay(tester, "b", "two", 60);
            pay(tester, "c", "one", 60);
            tester.advance(Duration.ofSeconds(61));
            pay(tester, "d", "one", 60);
            tester.advance(Duration.ofSeconds(1));
            assertThat(tester.take(Decision.CODEC))
                    .extracting(Decision::id, Decision::approved)
                    .containsExactly(tuple("a", true), tuple("b", true), tuple("c", false), tuple("d", true));
            tester.assertRepeatable();
        }
    }

    @Test
    void windowsSurviveACrash() {
        try (ChainTester tester = tester()) {
            pay(tester, "a", "one", 60);
            tester.advance(Duration.ofSeconds(1));
            tester.crash();
            pay(tester, "b", "one", 60);
            tester.advance(Duration.ofSeconds(1));
            List<Decision> decisions = tester.take(Decision.CODEC);
            assertThat(decisions.get(decisions.size() - 1).approved()).isFalse();
        }
    }

    @Test
    void paymentWithoutAmountIsADeadLetter() {
        try (ChainTester tester = tester()) {
            pay(tester, "a", "one", 0);
            tester.advance(Duration.ofSeconds(1));
            assertThat(tester.take()).isEmpty();
            assertThat(tester.deadLetters("validate")).hasSize(1);
        }
    }
}
