package dev.baton.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.ServiceFailure;
import dev.baton.test.BatonTest;
import dev.baton.test.ChainTester;
import dev.baton.test.ServiceTester;
import dev.baton.test.TestOf;
import dev.baton.test.Testers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@BatonTest
class TotalsTest {
    /** Sends the sum of each three numbers. */
    static class Totals implements Service {
        private ServiceContext context;
        private long sum;
        private int count;

        @Override
        public boolean holdsInputs() {
            return true;
        }

        @Override
        public void onStart(ServiceContext given) {
            context = given;
        }

        @Override
        public boolean isFailureAtomic() {
            return true; // onMessage changes its fields last
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            long total = sum + in.getLong(0);
            if (count == 0) {
                context.holdFrom(in.sequence()); // until its sum is sent
            }
            if (count < 2) {
                sum = total;
                count++;
                return;
            }
            out.claim(Long.BYTES).putLong(0, total).commit(Long.BYTES);
            context.holdFrom(in.sequence() + 1);
            sum = 0;
            count = 0;
        }
    }

    @Test
    void threeNumbersLeadToTheirSum(@TestOf(Totals.class) ServiceTester totals) {
        totals.send(number(1)).send(number(2));
        assertTrue(totals.take().isEmpty());
        totals.send(number(3));
        assertEquals(6, totals.takeOne().getLong(0));
    }

    @Test
    void unsummedInputsComeAgainAfterCrash(@TestOf(Totals.class) ServiceTester totals) {
        totals.send(number(1)).send(number(2));
        assertEquals(2, totals.held());
        totals.crash().send(number(3));
        assertEquals(6, totals.takeOne().getLong(0));
        assertEquals(3, totals.acknowledged());
    }

    @Test
    void aFailureStopsTheService(@TestOf(Totals.class) ServiceTester totals) {
        totals.throwNext(new IOException("no disk"));
        assertThrows(ServiceFailure.class, () -> totals.send(number(1)));
        totals.restart(); // and the number comes again
        assertEquals(1, totals.handled());
    }

    @Test
    void aRetryWaits(Testers testers) {
        ServiceTester totals = testers.of(Totals::new)
                .onError(ErrorPolicy.retry(1).after(Duration.ofHours(1)).thenDeadLetter());
        totals.throwNext(2, new IOException("no disk")).send(number(1));
        totals.advance(Duration.ofMinutes(59));
        assertTrue(totals.deadLetters().isEmpty());
        totals.advance(Duration.ofMinutes(1)); // of the virtual clock
        assertEquals("no disk", totals.deadLetters().get(0).text());
    }

    @Test
    void aChainOfTwoSumsNine(Testers testers) {
        ChainTester chain = testers.of(Chain.named("nine")
                .then("three", Totals::new)
                .then("nine", Totals::new)
                .build());
        for (long i = 1; i <= 9; i++) {
            chain.send(number(i));
        }
        assertEquals(3, chain.sentBy("three").size());
        assertEquals(45, chain.takeOne().getLong(0));
        chain.assertRepeatable();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
