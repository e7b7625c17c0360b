/** Chains of services over exchangeable queues. */
module dev.baton.core {
    exports dev.baton;
    exports dev.baton.async;
    exports dev.baton.chains;
    exports dev.baton.codec;
    exports dev.baton.deadletters;
    exports dev.baton.manage;
    exports dev.baton.partitions;
    exports dev.baton.run;
    exports dev.baton.spi;
    exports dev.baton.spi.errors;
    exports dev.baton.spi.options;
    exports dev.baton.spi.support;
    exports dev.baton.state;
    exports dev.baton.status;

    requires java.management;

    uses dev.baton.chains.ChainProvider;
    uses dev.baton.spi.TransportProvider;
}
