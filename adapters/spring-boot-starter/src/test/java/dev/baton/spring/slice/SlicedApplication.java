package dev.baton.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with chains and with components that their tests do not need. */
@SpringBootApplication
class SlicedApplication {}
