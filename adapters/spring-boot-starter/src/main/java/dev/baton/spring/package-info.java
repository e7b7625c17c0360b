/**
 * Baton in an application of Spring Boot 3 or 4: its {@link dev.baton.Chain} beans run over the transport and on the loops that
 * {@link dev.baton.spring.BatonProperties properties} name, from before the web server starts until after it has stopped.
 * {@link dev.baton.spring.ChainCustomizer} says what feeds a chain and what becomes of its outputs, {@link
 * dev.baton.spring.BatonChains} has those that run. Meters, traces and health are bound when their libraries are there.
 */
package dev.baton.spring;
