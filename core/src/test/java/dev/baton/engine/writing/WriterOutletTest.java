package dev.baton.engine.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The effects of claims and forwards that the transport refuses, or that end half way. */
class WriterOutletTest {
    private static final TopicWriter FULL = writer((proxy, method, given) -> null); // called for claims alone

    @Test
    void refusedOutputOfAnInputThrows() {
        WriterOutlet outlet = outlet(1);
        outlet.beginInput(1, 1, 0);
        assertRefused(() -> outlet.claim(8));
    }

    @Test
    void refusedReplyOfServiceWithoutOutputsThrows() {
        WriterOutlet outlet = outlet(0);
        outlet.beginInput(1, 1, 0);
        assertRefused(() -> outlet.reply(1, new byte[0]));
    }

    @Test
    void refusedClaimsWithoutLimitAreNull() {
        WriterOutlet outlet = outlet(1);
        outlet.beginSource();
        assertThat(outlet.claim(8)).isNull();
        outlet.beginServiceTick(1, 0);
        assertThat(outlet.claim(8)).isNull();
    }

    @Test
    void refusedForwardOfAnInputThrows() {
        WriterOutlet outlet = outlet(1);
        outlet.beginInput(1, 1, 0);
        assertRefused(() -> outlet.forward(message(16)));
    }

    @Test
    void refusedForwardWithoutLimitReturnsFalse() {
        WriterOutlet outlet = outlet(1);
        outlet.beginSource();
        assertThat(outlet.forward(message(16))).isFalse();
    }

    @Test
    void forwardOfUnreadablePayloadAbortsItsClaim() {
        List<String> called = new ArrayList<>();
        TopicWriter writer = writer((proxy, method, given) -> {
            called.add(method.getName());
            return method.getName().equals("claim") ? frame(16) : null;
        });
        WriterOutlet outlet = new WriterOutlet(new FrameWriter(writer, 100), 1, Environment.system(), null);
        outlet.beginInput(1, 1, 0);
        InboundMessage message = message(16);
        message.frame().memory().limit(Frame.HEADER_BYTES);
        assertThatThrownBy(() -> outlet.forward(message)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(called).containsExactly("claim", "abort");
        assertThat(outlet.hasNoOutput()).isTrue();
    }

    @Test
    void forwardOfStoredOutputWritesNothing() {
        TopicWriter none = writer((proxy, method, given) -> {
            if (method.getName().equals("sequence")) {
                return 1L;
            }
            throw new AssertionError(method.getName());
        });
        DroppingOutlet outlet = new DroppingOutlet(new FrameWriter(none, 100), 1, Environment.system(), null);
        outlet.beginInput(1, 1, 0);
        assertThat(outlet.forward(message(16))).isTrue();
        assertThat(outlet.hasNoOutput()).isFalse();
    }

    private static InboundMessage message(int length) {
        Frame frame = frame(length);
        frame.stamp(0, 7, 0, 1, 1);
        return new InboundMessage("in").of(frame, frame.head());
    }

    private static Frame frame(int length) {
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
        return new Frame().wrap(memory, 0, length);
    }

    private static TopicWriter writer(InvocationHandler calls) {
        return (TopicWriter) Proxy.newProxyInstance(
                WriterOutletTest.class.getClassLoader(), new Class<?>[] {TopicWriter.class}, calls);
    }

    private static WriterOutlet outlet(int maxOutputs) {
        return new WriterOutlet(new FrameWriter(FULL, 100), maxOutputs, Environment.system(), null);
    }

    private static void assertRefused(ThrowingCallable claim) {
        assertThatThrownBy(claim)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the transport refused a claim for which it had room");
    }
}
