package dev.baton.spring;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A chain that doubles numbers, as an application declares it; -13 is not for it. */
@Configuration(proxyBeanMethods = false)
class Doubling {
    static final String NAME = "doubling";

    final List<Long> doubled = new CopyOnWriteArrayList<>();

    @Bean
    Chain doublingChain() {
        return Chain.named(NAME).then("double", () -> Doubling::twice).build();
    }

    @Bean
    ChainCustomizer outputs() {
        return (chain, deployment) -> {
            if (chain.name().equals(NAME)) {
                deployment.onOutput(message -> doubled.add(message.getLong(0)));
            }
        };
    }

    private static void twice(Message in, Outlet out) {
        if (in.getLong(0) == -13) {
            throw new IllegalArgumentException("-13");
        }
        out.claim(Long.BYTES).putLong(0, 2 * in.getLong(0)).commit(Long.BYTES);
    }

    static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, value)
                .array();
    }
}
