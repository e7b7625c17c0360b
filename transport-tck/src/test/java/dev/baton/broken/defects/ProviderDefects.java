package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapProvider;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import dev.baton.tck.admin.ProviderTck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Defects of how a transport is found, and of what it says of itself. Stateless. */
public final class ProviderDefects {
    private ProviderDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(promises(), options(), texts()).flatMap(List::stream);
    }

    private static PlantedDefect found(String name, String report, HeapProvider provider) {
        return new PlantedDefect(name, ProviderTck.class, report, () -> new HeapTransport(), provider);
    }

    private static List<PlantedDefect> promises() {
        return List.of(
                found("a provider has another name", "theTransportIsFound.*memory", new HeapProvider() {
                    @Override
                    public String name() {
                        return "memoria";
                    }
                }),
                found("a provider promises more", "theProviderPromises.*DURABLE", new HeapProvider() {
                    @Override
                    public Set<Guarantee> guarantees() {
                        return Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE, Guarantee.DURABLE);
                    }
                }),
                found(
                        "topics need no memory",
                        "topicFootprintIsKnownForAnyOptions.*memory.*positive|.*greater",
                        new HeapProvider() {
                            @Override
                            public TopicFootprint topicFootprint(Map<String, String> options) {
                                return new TopicFootprint(0, 0, 0, 0, 0, 0, 1, 1);
                            }
                        }));
    }

    private static List<PlantedDefect> options() {
        return List.of(
                found(
                        "an unknown option is ignored",
                        "unknownOptionIsRefusedWithTheKnownOnes.*raise a throwable",
                        new HeapProvider() {
                            @Override
                            public Transport open(Map<String, String> options) {
                                Map<String, String> known = new HashMap<>(options);
                                known.keySet().retainAll(List.of(MAX_PAYLOAD));
                                return super.open(known);
                            }
                        }),
                found(
                        "an unknown option is refused without the known ones",
                        "unknownOptionIsRefusedWithTheKnownOnes.*" + HeapProvider.MAX_PAYLOAD,
                        new HeapProvider() {
                            @Override
                            public Transport open(Map<String, String> options) {
                                throw new IllegalArgumentException("unknown: " + options.keySet());
                            }
                        }),
                found("an option is listed twice", "everyOptionSays.*duplicate", new HeapProvider() {
                    @Override
                    public List<OptionSpec> options() {
                        List<OptionSpec> twice = new ArrayList<>(super.options());
                        twice.addAll(super.options());
                        return twice;
                    }
                }),
                found("an option does not say what is allowed", "everyOptionSays.*slots", new HeapProvider() {
                    @Override
                    public List<OptionSpec> options() {
                        return List.of(new OptionSpec("slots", "64", "", "frames of a topic"));
                    }

                    @Override
                    public String payloadOption() {
                        return null;
                    }
                }),
                found(
                        "the option for payloads is none of its own",
                        "advisedOptionsAreItsOwn.*longest payload",
                        new HeapProvider() {
                            @Override
                            public String payloadOption() {
                                return "payload";
                            }
                        }),
                found(
                        "the option for payloads has a default that is no size",
                        "payloadOptionHasASizeAsDefault.*many",
                        new HeapProvider() {
                            @Override
                            public List<OptionSpec> options() {
                                return List.of(new OptionSpec(MAX_PAYLOAD, "many", "any", "longest payload"));
                            }
                        }),
                found(
                        "advice names options of another",
                        "advisedOptionsAreItsOwn.*many small topics.*slots",
                        new HeapProvider() {
                            @Override
                            public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
                                return Map.of("slots", "256");
                            }
                        }));
    }

    private static List<PlantedDefect> texts() {
        return List.of(
                new PlantedDefect(
                        "a claim that is too long names no option",
                        ProviderTck.class,
                        "refusedClaimNamesThePayloadOption.*one of which is named by: 101 is too much",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                if (maxLength > HeapTransport.MAX_PAYLOAD) {
                                    throw new IllegalArgumentException(maxLength + " is too much");
                                }
                                return super.claim(maxLength);
                            }
                        })),
                new PlantedDefect(
                        "the properties do not tell what a flush groups",
                        ProviderTck.class,
                        "propertiesDescribeTheTransport.*batching",
                        () -> new HeapTransport() {
                            @Override
                            public Map<String, String> properties() {
                                Map<String, String> told = new HashMap<>(super.properties());
                                told.remove("batching");
                                return told;
                            }
                        }));
    }
}
