package dev.baton.engine.message;

import dev.baton.ConfigurationException;
import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Serde;
import dev.baton.UnexpectedTypeException;
import java.util.Objects;

/** A decoder that decodes messages of one type and rejects others. Confined to the thread of its reader. */
public final class CheckedDecoder<T> implements Decoder<T> {
    private final Serde<T> codec;
    private final Decoder<T> decoder;
    private final int type;

    public CheckedDecoder(Serde<T> codec) {
        this.codec = codec;
        this.decoder = Objects.requireNonNull(
                codec.decoder(), () -> "codec " + codec.getClass().getName() + " returned no decoder");
        this.type = codec.type();
    }

    @Override
    public T decode(Message from) {
        if (from.type() != type) {
            throw new UnexpectedTypeException(
                    from,
                    "codec " + codec.getClass().getName() + " reads type " + type
                            + (from.type() == 0 ? "; the sender has set none (Claim.type)" : ""));
        }
        try {
            return decoder.decode(from);
        } catch (UnsupportedOperationException unsupported) {
            throw new ConfigurationException(
                    "codec " + codec.getClass().getName() + " cannot decode: " + unsupported.getMessage(), unsupported);
        }
    }
}
