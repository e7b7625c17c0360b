package dev.baton.spring.slice;

import dev.baton.Chain;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Declares a chain whose services are components. */
@Configuration(proxyBeanMethods = false)
class Chains {
    @Bean
    Chain forwarding(ObjectProvider<Forward> forward) {
        return Chain.named("forwarding").then("forward", forward::getObject).build();
    }
}
