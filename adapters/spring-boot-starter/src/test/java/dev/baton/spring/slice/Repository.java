package dev.baton.spring.slice;

import org.springframework.stereotype.Component;

/** A component that needs a database. */
@Component
class Repository {
    Repository() {
        throw new IllegalStateException("no database in a test of chains");
    }
}
