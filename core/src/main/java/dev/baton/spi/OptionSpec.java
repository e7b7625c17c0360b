package dev.baton.spi;

/**
 * One option of a transport, as a person reads it.
 *
 * @param name as typed before the equals sign
 * @param defaultValue as it would be typed; empty when there is none
 * @param allowed range or list of values, with unit
 * @param description one line
 */
public record OptionSpec(String name, String defaultValue, String allowed, String description) {}
