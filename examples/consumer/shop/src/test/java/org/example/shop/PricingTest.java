package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.baton.deadletters.DeadLetter;
import dev.baton.ServiceFailure;
import dev.baton.test.BatonTest;
import dev.baton.test.ChainTester;
import dev.baton.test.Testers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@BatonTest
class PricingTest {
    @Test
    void anOrderWaitsForTheCatalogue(Testers testers) {
        ChainTester pricing = testers.of(Pricing.chain(order -> 5));
        pricing.throwNext("price", new IOException("down")).send(new Order(1, 10), Order.CODEC);
        assertTrue(pricing.take().isEmpty());

        pricing.advance(Duration.ofSeconds(1));
        assertEquals(50, pricing.takeOne(Bill.CODEC).cents);
    }

    @Test
    void otherCustomersPassWhileOneWaits(Testers testers) {
        ChainTester pricing = testers.of(Pricing.perCustomer(order -> 5));
        pricing.throwNext("price", new IOException("down"));
        pricing.send(new Order(1, 1), Order.CODEC, customer(7)).send(new Order(2, 1), Order.CODEC, customer(8));
        assertEquals(2, pricing.takeOne(Order.CODEC).id());
        pricing.advance(Duration.ofSeconds(1));
        assertEquals(1, pricing.takeOne(Order.CODEC).id());
    }

    private static ByteBuffer customer(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, number);
    }

    @Test
    void unansweredOrderBecomesADeadLetter(Testers testers) {
        ChainTester pricing = testers.of(Pricing.chain(order -> {
            throw new IOException("down");
        }));
        pricing.send(new Order(1, 10), Order.CODEC).advance(Duration.ofSeconds(2));
        DeadLetter letter = pricing.deadLetters("price").get(0);
        assertEquals(3, letter.attempts());
        assertEquals("down", letter.text());
    }

    @Test
    void orderWithoutQuantityIsNotRetried(Testers testers) {
        ChainTester pricing = testers.of(Pricing.chain(order -> 5));
        pricing.send(new Order(1, 0), Order.CODEC).send(new Order(2, 1), Order.CODEC);
        assertEquals(1, pricing.deadLetters("price").get(0).attempts());
        assertEquals(2, pricing.takeOne(Bill.CODEC).order);
    }

    @Test
    void otherFailuresStopTheChain(Testers testers) {
        ChainTester pricing = testers.of(Pricing.chain(order -> {
            throw new IllegalStateException("no catalogue");
        }));
        ServiceFailure failure = assertThrows(
                ServiceFailure.class, () -> pricing.send(new Order(1, 1), Order.CODEC));
        assertEquals("price", failure.service());
        assertEquals(pricing.failure().orElseThrow(), failure);
        assertEquals(1, failure.sequence());
        assertInstanceOf(IllegalStateException.class, failure.getCause());
    }

    @Test
    void everyOrderHasOneBill(Testers testers) {
        ChainTester pricing = testers.of(Pricing.chain(order -> 5));
        for (int id = 1; id <= 20; id++) {
            pricing.send(new Order(id, id % 4), Order.CODEC);
        }
        pricing.assertRepeatable();
    }
}
