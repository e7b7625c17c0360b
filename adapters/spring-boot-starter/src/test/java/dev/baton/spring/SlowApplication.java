package dev.baton.spring;

import dev.baton.Chain;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application in a separate process that has more in-flight messages than it can drain before it ends. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SlowApplication {
    static final int MESSAGES = 200;

    public static void main(String[] args) {
        SpringApplication.run(SlowApplication.class, args);
    }

    @Bean
    Chain slow() {
        return Chain.named("slow")
                .then("slow", () -> (in, out) -> {
                    Thread.sleep(5);
                    out.forward(in);
                })
                .build();
    }

    @Bean
    ChainCustomizer outputs() {
        return (chain, deployment) ->
                deployment.onOutput(message -> System.out.println("output " + message.getLong(0)));
    }

    @Bean
    ApplicationRunner input(BatonChains chains) {
        return arguments -> {
            for (long i = 1; i <= MESSAGES; i++) {
                chains.inlet("slow").offerStored(Doubling.number(i)).join();
            }
            System.out.println("all stored");
            Thread.sleep(60_000); // until the signal
        };
    }
}
