package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedWriterTest {
    @Test
    void whatATransportOffersBesideFramesIsOfferedWithChecksumsToo() throws Exception {
        for (var method : TopicWriter.class.getMethods()) {
            if (!method.getName().equals("claim") && !method.getName().equals("commit")) {
                assertThat(CheckedWriter.class
                                .getMethod(method.getName(), method.getParameterTypes())
                                .getDeclaringClass())
                        .as("%s is not left to the interface's default", method)
                        .isEqualTo(CheckedWriter.class);
            }
        }
    }

    @Test
    void anAnswerGoesToTheTransportTogetherWithItsInputs() {
        List<String> calls = new ArrayList<>();
        TopicWriter transport = (TopicWriter) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TopicWriter.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName() + Arrays.toString(arguments));
                    return method.getReturnType() == boolean.class ? true : null;
                });
        TopicReader answered = null;
        CheckedWriter writer = new CheckedWriter(transport, 100);
        writer.flush(answered, 7);

        assertThat(calls).containsExactly("flush[null, 7]");
        assertThat(writer.isCauseAtOpenComplete()).isTrue();
    }
}
