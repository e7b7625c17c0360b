package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health indicator over the Spring Boot of this module. */
class HealthTest {
    @Test
    void healthIndicatorHasALinePerChain() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        BatonAutoConfiguration.class,
                        BatonHealthOfBoot3AutoConfiguration.class))
                .withUserConfiguration(Doubling.class)
                .withPropertyValues("baton.transport=disruptor")
                .run(context -> {
                    HealthIndicator baton = context.getBean("batonHealthIndicator", HealthIndicator.class);
                    assertThat(baton.health().getStatus()).isEqualTo(Status.UP);
                    assertThat(baton.health().getDetails().get("doubling")).hasToString("{phase=RUNNING, backlog=0}");

                    context.getBean(BatonChains.class).inlet(Doubling.NAME).offer(Doubling.number(-13));
                    await().until(() -> baton.health().getStatus().equals(Status.DOWN));
                    assertThat(baton.health().getDetails().toString()).contains("service double failed at message 1");
                });
    }
}
