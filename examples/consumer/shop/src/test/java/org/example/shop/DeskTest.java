package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.baton.ServiceFailure;
import dev.baton.UnexpectedTypeException;
import dev.baton.test.BatonTest;
import dev.baton.test.ChainTester;
import dev.baton.test.Testers;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@BatonTest
class DeskTest {
    private ChainTester desk;

    @BeforeEach
    void open(Testers testers) {
        desk = testers.of(Desk.chain());
    }

    @Test
    void eachTypeHasABody() {
        desk.send(new Order(1, 10), Order.CODEC).send(new Cancel(1), Cancel.CODEC);
        assertEquals(List.of(new Order(1, 10), new Order(1, 0)), desk.take(Order.CODEC));
    }

    @Test
    void anOrderBeyondTheLimitGoesNoFurther() {
        desk.send(new Order(1, 101), Order.CODEC).send(new Order(2, 100), Order.CODEC);
        assertEquals(new Order(2, 100), desk.takeOne(Order.CODEC));
        assertEquals(2, desk.sentBy("accept").size());
    }

    @Test
    void aTypeThatNoCodecReadsIsNamed() {
        ServiceFailure failure =
                assertThrows(ServiceFailure.class, () -> desk.send(new byte[] {1, 2, 3}, 7));
        assertEquals(UnexpectedTypeException.class, failure.getCause().getClass());
        assertEquals("limit", failure.service());
    }
}
