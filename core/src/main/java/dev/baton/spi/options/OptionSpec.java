package dev.baton.spi.options;

/**
 * The description of one option of a transport, for users.
 *
 * @param name name, as typed before the equals sign
 * @param defaultValue default, as it would be typed; empty if there is none
 * @param allowed range or list of values, with unit
 * @param description one line
 */
public record OptionSpec(String name, String defaultValue, String allowed, String description) {
    /**
     * {@return the spec of an option that is a size in bytes, read by {@link Options#bytes}}
     *
     * @param name name as typed before the equals sign
     * @param defaultBytes the default, within the range
     * @param least minimum number of bytes
     * @param most maximum number of bytes
     * @param more further restrictions, such as {@code , a power of two}; or empty
     * @param description one line
     */
    public static OptionSpec ofBytes(
            String name, long defaultBytes, long least, long most, String more, String description) {
        return new OptionSpec(name, ByteSize.text(defaultBytes), ByteSize.range(least, most) + more, description);
    }
}
