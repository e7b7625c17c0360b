package dev.baton.spring;

import dev.baton.Chain;
import dev.baton.kafka.connectors.KafkaTopic;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs the application's {@link Chain} beans. A bean of the application replaces any of these. */
@AutoConfiguration(before = ApplicationAvailabilityAutoConfiguration.class)
@EnableConfigurationProperties(BatonProperties.class)
public class BatonAutoConfiguration {
    /** Plain Kafka topics, when their connectors are on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaTopic.class)
    static class KafkaTopics {
        @Bean
        KafkaEnds batonKafkaEnds(BatonProperties properties) {
            return new KafkaEnds(properties);
        }
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Loops batonLoops(BatonProperties properties) {
        BatonProperties.LoopThreads typed = properties.loops();
        Loops loops = switch (typed.kind()) {
            case COOPERATIVE -> Checked.get("baton.loops.count", typed.count(), () -> Loops.cooperative(typed.count()));
            case PER_SERVICE -> Loops.threadPerService();
            case VIRTUAL -> Checked.get("baton.loops.kind", "virtual", Loops::virtual);
        };
        loops.idle(
                switch (typed.idle()) {
                    case BACKOFF -> Idle.backoff();
                    case SPIN -> Idle.spin();
                });
        Duration budget = typed.latencyBudget();
        return budget == null
                ? loops
                : Checked.get("baton.loops.latency-budget", budget, () -> loops.latencyBudget(budget));
    }

    @Bean(destroyMethod = "close")
    BatonTransports batonTransports(BatonProperties properties, ObjectProvider<Transport> transports) {
        return new BatonTransports(properties, transports);
    }

    @Bean
    BatonChains batonChains(
            BatonProperties properties,
            BatonTransports transports,
            Loops loops,
            ObjectProvider<KafkaEnds> kafkaEnds,
            ObjectProvider<Chain> chains,
            ObjectProvider<ChainCustomizer> customizers,
            ObjectProvider<Instrument> instruments) {
        return new BatonChains(
                properties,
                transports,
                loops,
                kafkaEnds.getIfAvailable(),
                chains,
                customizers,
                instruments.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(ApplicationAvailability.class)
    BatonAvailability applicationAvailability(BatonChains chains, BatonProperties properties) {
        return new BatonAvailability(chains, Checked.notNegative("baton.stuck-after", properties.stuckAfter()));
    }
}
