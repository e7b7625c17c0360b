package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.baton.Chain;
import org.junit.jupiter.api.Test;

class PublicTest {
    @Test
    void thisRunsOnTheModulePath() {
        assertEquals("org.example.shop", Order.class.getModule().getName());
        assertTrue(Chain.class.getModule().isNamed());
    }
}
