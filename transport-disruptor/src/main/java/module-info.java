/** Topics in memory, over sequences of the LMAX Disruptor. */
module dev.baton.disruptor {
    requires transitive dev.baton.core;
    requires com.lmax.disruptor;

    exports dev.baton.disruptor;

    provides dev.baton.spi.TransportProvider with
            dev.baton.disruptor.DisruptorProvider;
}
