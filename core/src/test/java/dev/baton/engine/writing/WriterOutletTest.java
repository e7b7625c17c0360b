package dev.baton.engine.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;
import java.lang.reflect.Proxy;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a claim returns that the transport refuses. */
class WriterOutletTest {
    private static final TopicWriter FULL = (TopicWriter) Proxy.newProxyInstance(
            WriterOutletTest.class.getClassLoader(),
            new Class<?>[] {TopicWriter.class},
            (proxy, method, given) -> null); // called for claims alone

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

    private static WriterOutlet outlet(int maxOutputs) {
        return new WriterOutlet(new FrameWriter(FULL, 100), maxOutputs, Environment.system(), null);
    }

    private static void assertRefused(ThrowingCallable claim) {
        assertThatThrownBy(claim)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the transport refused a claim for which it had room");
    }
}
