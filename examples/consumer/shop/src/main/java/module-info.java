/** An application of Baton's. */
module org.example.shop {
    requires dev.baton.core;
    requires dev.baton.disruptor;

    exports org.example.shop;
}
