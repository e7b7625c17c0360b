/**
 * Baton in an application of Spring Boot 3 or 4: its {@link dev.baton.Chain} beans run over the transport and on the loops that {@link
 * dev.baton.spring.BatonProperties properties} name, from before the web server starts until after it has stopped. {@link
 * dev.baton.spring.ChainCustomizer} sets the source of a chain and the consumer of its outputs; {@link dev.baton.spring.BatonChains}
 * contains the running chains. Meters, traces and health are bound when their libraries are present.
 */
package dev.baton.spring;
