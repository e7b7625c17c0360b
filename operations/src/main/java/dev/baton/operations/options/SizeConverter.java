package dev.baton.operations.options;

import dev.baton.spi.options.ByteSize;
import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes in bytes as {@link ByteSize} does: {@code 256}, {@code 4k}, {@code 64m}. Stateless, thread-safe. */
public final class SizeConverter implements ITypeConverter<BigDecimal> {
    @Override
    public BigDecimal convert(String text) {
        try {
            return BigDecimal.valueOf(ByteSize.parse(text));
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }
}
