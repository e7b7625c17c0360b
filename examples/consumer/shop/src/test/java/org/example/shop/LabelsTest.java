package org.example.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.test.BatonTest;
import dev.baton.test.ServiceTester;
import dev.baton.test.TestOf;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

@BatonTest
class LabelsTest {
    @Test
    void aTextIsFollowedByItsTopic(@TestOf(Labels.class) ServiceTester labels) {
        labels.send("milk".getBytes(UTF_8));
        assertEquals("milk@test-0/-1/-", new String(labels.takeOne().bytes(), UTF_8));
    }

    @Test
    void aKeyIsPartOfTheLabel(@TestOf(Labels.class) ServiceTester labels) {
        Claim claim = labels.inlet().tryClaim(4, new MessageFields().key(UTF_8.encode("c17")));
        claim.payload().put("milk".getBytes(UTF_8));
        claim.commit(4);
        labels.start();
        assertTrue(new String(labels.takeOne().bytes(), UTF_8).endsWith("/c17"));
    }

    @Test
    void buffersAndArrayPartsAreSentUnchanged(@TestOf(Labels.class) ServiceTester labels) {
        String text = "much more than the sixty-four bytes that the service keeps an array for";
        labels.inlet().send(ByteBuffer.wrap(text.getBytes(UTF_8)), new MessageFields().type(1));
        labels.inlet().send(UTF_8.encode("milk"), new MessageFields().type(1));
        labels.start();
        assertTrue(new String(labels.takeOne().bytes(), UTF_8).startsWith(text + "@"));
        assertTrue(new String(labels.takeOne().bytes(), UTF_8).startsWith("milk@"));
    }
}
