package dev.baton.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.baton.examples.tutorial.Step1Chain.Order;
import dev.baton.examples.tutorial.Step3State.Receipt;
import dev.baton.test.ChainTester;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class Step3StateTest {
    private static void order(ChainTester tester, long id, String item) {
        tester.send(new Order(id, "ada", item, 1), Order.CODEC, StandardCharsets.UTF_8.encode("ada"));
    }

    @Test
    void totalSurvivesACrash() {
        try (ChainTester tester = ChainTester.of(Step3State.chain())) {
            order(tester, 1, "tea");
            assertEquals(new Receipt(1, 250, 250), tester.takeOne(Receipt.CODEC));
            tester.crash();
            order(tester, 2, "coffee");
            assertEquals(new Receipt(2, 320, 570), tester.takeOne(Receipt.CODEC));
            tester.assertRepeatable();
        }
    }

    @Test
    void orderWithoutPriceIsADeadLetter() {
        try (ChainTester tester = ChainTester.of(Step3State.chain())) {
            order(tester, 1, "milk");
            tester.advance(Duration.ofMillis(200)); // for two retries
            assertEquals(3, tester.deadLetters("price").get(0).attempts());
        }
    }
}
