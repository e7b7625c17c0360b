package dev.baton.spring;

import dev.baton.opentelemetry.BatonTracing;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Traces of messages, when {@code baton-opentelemetry} and a bean of {@link OpenTelemetry} are present. */
@AutoConfiguration(before = BatonAutoConfiguration.class)
@ConditionalOnClass({BatonTracing.class, OpenTelemetry.class})
class BatonTracingAutoConfiguration {
    @Bean
    Instrument batonTraces(ObjectProvider<OpenTelemetry> openTelemetry) {
        return deployment ->
                openTelemetry.ifAvailable(each -> BatonTracing.of(each).trace(deployment));
    }
}
